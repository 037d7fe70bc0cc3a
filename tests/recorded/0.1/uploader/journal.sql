BEGIN TRANSACTION;
CREATE TABLE batches (batch TEXT, file INTEGER REFERENCES files (id) ON DELETE CASCADE, PRIMARY KEY (batch, file))
    WITHOUT ROWID;
INSERT INTO "batches" VALUES('batch of sources/=1+2.txt',3);
INSERT INTO "batches" VALUES('batch of sources/asked again while paused.bin',16);
INSERT INTO "batches" VALUES('batch of sources/asked again.bin',15);
INSERT INTO "batches" VALUES('batch of sources/changed.bin',22);
INSERT INTO "batches" VALUES('batch of sources/given up.bin',19);
INSERT INTO "batches" VALUES('batch of sources/gone.bin',14);
INSERT INTO "batches" VALUES('batch of sources/had already.bin',4);
INSERT INTO "batches" VALUES('batch of sources/late.bin',10);
INSERT INTO "batches" VALUES('batch of sources/no answer.bin',9);
INSERT INTO "batches" VALUES('batch of sources/of a newer receiver.bin',13);
INSERT INTO "batches" VALUES('batch of sources/other bytes.bin',17);
INSERT INTO "batches" VALUES('batch of sources/over the limit.bin',26);
INSERT INTO "batches" VALUES('batch of sources/paused half way.bin',20);
INSERT INTO "batches" VALUES('batch of sources/photos/large.bin',2);
INSERT INTO "batches" VALUES('batch of sources/photos/small ü.txt',1);
INSERT INTO "batches" VALUES('batch of sources/refused name.bin',11);
INSERT INTO "batches" VALUES('batch of sources/sent just now.bin',18);
INSERT INTO "batches" VALUES('batch of sources/too large there.bin',12);
INSERT INTO "batches" VALUES('batch of sources/under way.bin',23);
INSERT INTO "batches" VALUES('batch of sources/waiting 1.txt',24);
INSERT INTO "batches" VALUES('batch of sources/waiting 2.bin',25);
CREATE TABLE cancels (transfer TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO "cancels" VALUES('0197794b23207a51aef770c7f01b1957');
CREATE TABLE chunks (                       -- acknowledged by the broker
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    PRIMARY KEY (file, idx)
) WITHOUT ROWID;
INSERT INTO "chunks" VALUES(9,0,X'51FA12AFDBA9DC3F7A9CD3D0DD128582323DF11837C9C6FB7F972A5B37313CC4');
INSERT INTO "chunks" VALUES(9,1,X'34F8583D34832A0030E881811463E39681EFC0920B46F452CC6FAA12A4AB515F');
INSERT INTO "chunks" VALUES(10,0,X'57365A134BCD908EBCA0D7AA8DEFAD80D4FA47F38BCC92EE9510E62B54B64446');
INSERT INTO "chunks" VALUES(10,1,X'109AB27DBC803EBD4941DF675726B4CBA92D9D912EAD14EAC7BA77A557EF834A');
INSERT INTO "chunks" VALUES(11,0,X'8F4DABF244F99381538E55ABC8814C7D449A535A6D2A9196B633C775EDE5F4B0');
INSERT INTO "chunks" VALUES(11,1,X'3637C91F28F9797305F560DA6F83ECBC51BA1F9DFC2DBF6CD5F169EACDA15E87');
INSERT INTO "chunks" VALUES(12,0,X'D22FFDCD72BD8C2E8159276CCAC8B1144674742EE3630F05D60870FFA8D3530E');
INSERT INTO "chunks" VALUES(12,1,X'90B55481770068166FA5B12BD3EB87BA17DD17F77C59992D4BA8DBB1ED34BC84');
INSERT INTO "chunks" VALUES(13,0,X'2469FBF691BC1C755DAE7DCF4F07C1AE5DE7C2A8D14B0BB9CFB39889F53ADD37');
INSERT INTO "chunks" VALUES(13,1,X'2D6715D426768BFCFFC23CF26CCE661E892C8B34B02F351F53968B4DEA43C99F');
INSERT INTO "chunks" VALUES(15,0,X'3507BC7BBFA51DDAE6EC387C817B95021A735F908A0A5342644A25936AF979E8');
INSERT INTO "chunks" VALUES(15,2,X'513F8D2BBC17C4CD7638640CC3F8911F619AD817FFD539B1F2DF76EDFA4B48C3');
INSERT INTO "chunks" VALUES(16,2,X'D20C6FB3A152EF1245F31CADE0C36556406BA7D8E2A41118DF97AE65C906C99A');
INSERT INTO "chunks" VALUES(18,0,X'4895CBD85878D97A16A2E1AE85A478EC37048C938C9D72E46DB9D39AB045DDA5');
INSERT INTO "chunks" VALUES(18,1,X'24E7D9313722791FC5E39A8224B989D165A0B0D1D90B29AD15CF092726DD19A1');
INSERT INTO "chunks" VALUES(20,0,X'E5567814DBE165B0ACA95DB4F61D47F24323FEAF0CB1B50832AB48354951D32A');
INSERT INTO "chunks" VALUES(23,0,X'82B47495A9900CE65D761D1ED7E9C6D5DEA4F5125328979B1BA9B8E8B83D27FB');
INSERT INTO "chunks" VALUES(23,1,X'09BE6979A78503DD14DA6CF5D93F42D09FEED11CCF1E2E9E0B005FCFC9E8D6C6');
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,                   -- where it lies on this computer
    path TEXT NOT NULL,                     -- under which name it travels
    folder INTEGER REFERENCES folders (id) ON DELETE SET NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    identity TEXT NOT NULL,                 -- device and inode: a file swapped for another is a change
    seen_ns INTEGER NOT NULL,               -- since when size and mtime are what they are
    state TEXT NOT NULL,
    transfer TEXT UNIQUE,                   -- of this generation; NULL before its first part
    generation INTEGER NOT NULL DEFAULT 1,
    chunk_size INTEGER NOT NULL DEFAULT 0,  -- 0: travels in a pack
    encoding TEXT NOT NULL DEFAULT 'identity',
    sha256 TEXT NOT NULL DEFAULT '',
    attempt INTEGER NOT NULL DEFAULT 0,
    next_try_ns INTEGER,
    code TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '',
    resends INTEGER NOT NULL DEFAULT 0,     -- new transfers begun by themselves since a person last acted
    round INTEGER NOT NULL DEFAULT 0,       -- of the last `missing` answered in full
    end_partition INTEGER,                  -- where the last `end` (or the pack) lies in the topic
    end_offset INTEGER,
    asked INTEGER NOT NULL DEFAULT 0,
    ask_ns INTEGER,                         -- when the receipt is asked for next; NULL until the receiver has passed it
    urgent INTEGER NOT NULL DEFAULT 0,      -- first in line
    anyway INTEGER NOT NULL DEFAULT 0,      -- a person said: send it on this metered connection
    added_ns INTEGER NOT NULL,
    started_ns INTEGER,
    sent_ns INTEGER,
    ended_ns INTEGER,                       -- confirmed or cancelled
    clean_up TEXT NOT NULL DEFAULT '',      -- '', due, done, failed
    clean_up_tries INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "files" VALUES(1,'@FOLDER@/sources/photos/small ü.txt','small ü.txt',NULL,700,1749999000000000000,'@IDENTITY:sources/photos/small ü.txt@',1750000000000000000,'confirmed','01977420dc007142a5b26ad1d99d4a7f',1,0,'identity','d6c7c17edd6cd394241276585eec173deace54d1b0231bfe0393eb594c82a41b',0,NULL,'','',0,0,2,0,0,NULL,0,0,1750000000000000000,1750000000000000000,1750000000000000000,1750000000600000000,'',0);
INSERT INTO "files" VALUES(2,'@FOLDER@/sources/photos/large.bin','large.bin',NULL,98304,1749999001000000000,'@IDENTITY:sources/photos/large.bin@',1750000001200000000,'confirmed','01977420e0b07eaa9de31b4760e35c79',1,65536,'identity','3c3f4043af98a9d047091c4cc0819d25c7e59e7855d2d8b6c08012f22f95e417',0,NULL,'','',0,0,1,2,0,NULL,0,0,1750000001200000000,1750000001200000000,1750000001800000000,1750000001800000000,'',0);
INSERT INTO "files" VALUES(3,'@FOLDER@/sources/=1+2.txt','=1+2.txt',NULL,9,1749999002000000000,'@IDENTITY:sources/=1+2.txt@',1750000002400000000,'confirmed','01977420e56074d0a4f552e20cdeec0c',1,0,'identity','119ce78162f56e165630ce8d2bb5eed35c3917588e2cd055159db89b21fc25dc',0,NULL,'','',0,0,2,1,0,NULL,0,0,1750000002400000000,1750000002400000000,1750000002400000000,1750000002400000000,'',0);
INSERT INTO "files" VALUES(4,'@FOLDER@/sources/had already.bin','had already.bin',NULL,131072,1749999003000000000,'@IDENTITY:sources/had already.bin@',1750000003000000000,'confirmed','01977420e7b87ba1abb3a058e91f8ef0',1,65536,'identity','58d52b2f34de855a1c26ce3fa00f9a52220854d854e235d6ebf03bf95f3932a4',0,NULL,'duplicate','',0,0,2,4,0,NULL,0,0,1750000003000000000,1750000003000000000,1750000003000000000,1750000003600000000,'',0);
INSERT INTO "files" VALUES(5,'@FOLDER@/camera/before.jpg','before.jpg',1,40,1749999004000000000,'@IDENTITY:camera/before.jpg@',1750000034600000000,'cancelled',NULL,1,0,'identity','',0,NULL,'','it was there before the folder was watched',0,0,NULL,NULL,0,NULL,0,0,1750000034600000000,NULL,NULL,1750000034600000000,'',0);
INSERT INTO "files" VALUES(6,'@FOLDER@/scans/report.pdf','report.pdf',2,50,1749999005000000000,'@IDENTITY:scans/report.pdf@',1750000034600000000,'confirmed','01977421dc4079eb94c4dfe6d7f2bd0d',1,0,'identity','7a2e45b77f04b17e582a1b8db63225471463f8ba4f3dfe07e3e87dfbf05788b3',0,NULL,'','',0,0,0,0,0,NULL,0,0,1750000034600000000,1750000096600000000,1750000127600000000,1750000189600000000,'',0);
INSERT INTO "files" VALUES(7,'@FOLDER@/camera/bad\name.jpg','bad\name.jpg',1,42,1749999007000000000,'@IDENTITY:camera/bad\name.jpg@',1750000127600000000,'attention',NULL,1,0,'identity','',0,NULL,'name_refused','it contains a backslash',0,0,NULL,NULL,0,NULL,0,0,1750000127600000000,NULL,NULL,NULL,'',0);
INSERT INTO "files" VALUES(8,'@FOLDER@/camera/2025/after.jpg','camera/2025/after.jpg',1,41,1749999006000000000,'0:0',1750000127600000000,'confirmed','0197742347887110b82f1d127adabd22',1,0,'identity','c551e45b7903ef2943d8545818d24757c965117135cf417a92b185d1aa2819f4',0,NULL,'','',0,0,1,3,0,NULL,0,0,1750000127600000000,1750000189600000000,1750000189600000000,1750000189600000000,'done',0);
INSERT INTO "files" VALUES(9,'@FOLDER@/sources/no answer.bin','no answer.bin',NULL,131072,1749999008000000000,'@IDENTITY:sources/no answer.bin@',1750000190200000000,'attention','01977423c2f873dabcbfc67cedc5db16',1,65536,'identity','fa2f80d967149fa44850bcb4ef0d2e54de993c46e9257927105047cce96fbbff',0,NULL,'receipt_absent','24 h',0,0,1,6,0,NULL,0,0,1750000190200000000,1750000190200000000,1750000190800000000,NULL,'',0);
INSERT INTO "files" VALUES(10,'@FOLDER@/sources/late.bin','late.bin',NULL,131072,1749999009000000000,'@IDENTITY:sources/late.bin@',1750072191400000000,'sent','0197786e69a8707f924d53337ba173bf',1,65536,'identity','c572af565db38b181365f6ebedaa84ac95491babf3d2e142689d6795450bcc63',0,NULL,'receipt_late','4 h',0,0,1,9,0,NULL,0,0,1750072191400000000,1750072191400000000,1750072192000000000,NULL,'',0);
INSERT INTO "files" VALUES(11,'@FOLDER@/sources/refused name.bin','refused name.bin',NULL,131072,1749999010000000000,'@IDENTITY:sources/refused name.bin@',1750086652600000000,'attention','0197794b12b875e88fadba38684058bc',1,65536,'identity','1fac217c54601cff55e9e6ebab56811c8ddf0e9f173ae34c6c649867c9b2bb5e',0,NULL,'name_refused','it contains a backslash',0,0,0,3,0,NULL,0,0,1750086652600000000,1750086652600000000,1750086653200000000,NULL,'',0);
INSERT INTO "files" VALUES(12,'@FOLDER@/sources/too large there.bin','too large there.bin',NULL,131072,1749999011000000000,'@IDENTITY:sources/too large there.bin@',1750086653800000000,'attention','0197794b176871ada8fb0d5152279994',1,65536,'identity','7eba21f9be94b0aef01c0660b05b739921bdffd23e303f5bc3ff12e29e446d30',0,NULL,'too_large','200000 bytes are more than the 100000 that are allowed',0,0,3,2,0,NULL,0,0,1750086653800000000,1750086653800000000,1750086653800000000,NULL,'',0);
INSERT INTO "files" VALUES(13,'@FOLDER@/sources/of a newer receiver.bin','of a newer receiver.bin',NULL,131072,1749999012000000000,'@IDENTITY:sources/of a newer receiver.bin@',1750086654400000000,'attention','0197794b19c07c7d9f1704cc8808ef4c',1,65536,'identity','b0e59775d82b100ac047a40b6f618c571a49141b6d02f384d74dcf72850db8bb',0,NULL,'unexpected','something that 0.1 does not know',0,0,1,12,0,NULL,0,0,1750086654400000000,1750086654400000000,1750086654400000000,NULL,'',0);
INSERT INTO "files" VALUES(14,'@FOLDER@/sources/gone.bin','gone.bin',NULL,100,1749999013000000000,'@IDENTITY:sources/asked again.bin@',1750086655000000000,'attention',NULL,1,0,'identity','',0,NULL,'file_gone','No such file or directory',0,0,NULL,NULL,0,NULL,0,0,1750086655000000000,NULL,NULL,NULL,'',0);
INSERT INTO "files" VALUES(15,'@FOLDER@/sources/asked again.bin','asked again.bin',NULL,196608,1749999013000000000,'@IDENTITY:sources/asked again.bin@',1750086655600000000,'sending','0197794b1e7070f3b7a5e4a2ba3c2072',1,65536,'identity','b2adf478c055226cf43a2f265fc38b0be75c5c260c96a9d316bc622fad102c39',0,NULL,'parts_missing','1 part (round 2 of 5)',0,2,1,16,0,NULL,1,0,1750086655600000000,1750086655600000000,1750086655600000000,NULL,'',0);
INSERT INTO "files" VALUES(16,'@FOLDER@/sources/asked again while paused.bin','asked again while paused.bin',NULL,196608,1749999014000000000,'@IDENTITY:sources/asked again while paused.bin@',1750086656200000000,'queued','0197794b20c87032b403d4cd195c3d0c',1,65536,'identity','2143b6aefb3d66a475cabe50f22de7cd5fd26dff1f7bcf4a77571c47e6dc8291',0,NULL,'parts_missing','2 parts (round 1 of 5)',0,1,3,6,0,NULL,1,0,1750086656200000000,1750086656200000000,1750086656200000000,NULL,'',0);
INSERT INTO "files" VALUES(17,'@FOLDER@/sources/other bytes.bin','other bytes.bin',NULL,196608,1749999015000000000,'@IDENTITY:sources/other bytes.bin@',1750086656800000000,'queued',NULL,2,0,'identity','',0,NULL,'hash_mismatch','the bytes that arrived are others',1,0,NULL,NULL,0,NULL,1,0,1750086656800000000,NULL,NULL,NULL,'',0);
INSERT INTO "files" VALUES(18,'@FOLDER@/sources/sent just now.bin','sent just now.bin',NULL,131072,1749999016000000000,'@IDENTITY:sources/sent just now.bin@',1750086657400000000,'sent','0197794b25787e908673c43bb4cc0ebd',1,65536,'identity','7c4ed2dd441d09d904687fd2c3608225284f4d1a0d6224264da4f92221c71845',0,NULL,'','',0,0,1,19,0,NULL,0,0,1750086657400000000,1750086657400000000,1750086657400000000,NULL,'',0);
INSERT INTO "files" VALUES(19,'@FOLDER@/sources/given up.bin','given up.bin',NULL,196608,1749999017000000000,'@IDENTITY:sources/given up.bin@',1750086658000000000,'cancelled','0197794b27d0706f8489233434c09302',1,65536,'identity','93a3c30cf01f95b11ad6268164ce0f89969e522758fb8236fec0e2945bdb2873',0,NULL,'','',0,0,0,7,0,NULL,0,0,1750086658000000000,1750086658000000000,1750086658000000000,1750086658600000000,'',0);
INSERT INTO "files" VALUES(20,'@FOLDER@/sources/paused half way.bin','paused half way.bin',NULL,196608,1749999018000000000,'@IDENTITY:sources/paused half way.bin@',1750086658600000000,'paused','0197794b2a287273b63d1a799d228e33',1,65536,'identity','',0,NULL,'','',0,0,NULL,NULL,0,NULL,0,0,1750086658600000000,1750086658600000000,NULL,NULL,'',0);
INSERT INTO "files" VALUES(21,'@FOLDER@/camera/being written.jpg','camera/being written.jpg',1,43,1749999019000000000,'@IDENTITY:camera/being written.jpg@',1750086690800000000,'settling',NULL,1,0,'identity','',0,NULL,'','',0,0,NULL,NULL,0,NULL,0,0,1750086690800000000,NULL,NULL,NULL,'',0);
INSERT INTO "files" VALUES(22,'@FOLDER@/sources/changed.bin','changed.bin',NULL,120,1749999021000000000,'@IDENTITY:sources/changed.bin@',1750086690800000000,'retrying',NULL,2,0,'identity','',0,1750086695800000000,'file_changed','',0,0,NULL,NULL,0,NULL,0,0,1750086690800000000,NULL,NULL,NULL,'',0);
INSERT INTO "files" VALUES(23,'@FOLDER@/sources/under way.bin','under way.bin',NULL,196608,1749999021000000000,'@IDENTITY:sources/under way.bin@',1750086691400000000,'sending','0197794baa487140b37d6ae1ff0f76f5',1,65536,'identity','',0,NULL,'','',0,0,NULL,NULL,0,NULL,0,0,1750086691400000000,1750086691400000000,NULL,NULL,'',0);
INSERT INTO "files" VALUES(24,'@FOLDER@/sources/waiting 1.txt','waiting 1.txt',NULL,30,1749999022000000000,'@IDENTITY:sources/waiting 1.txt@',1750086692600000000,'queued',NULL,1,0,'identity','',0,NULL,'','',0,0,NULL,NULL,0,NULL,0,0,1750086692600000000,NULL,NULL,NULL,'',0);
INSERT INTO "files" VALUES(25,'@FOLDER@/sources/waiting 2.bin','waiting 2.bin',NULL,131072,1749999023000000000,'@IDENTITY:sources/waiting 2.bin@',1750086692600000000,'queued',NULL,1,0,'identity','',0,NULL,'','',0,0,NULL,NULL,0,NULL,0,0,1750086692600000000,NULL,NULL,NULL,'',0);
INSERT INTO "files" VALUES(26,'@FOLDER@/sources/over the limit.bin','over the limit.bin',NULL,210000,1749999024000000000,'@IDENTITY:sources/over the limit.bin@',1750086692600000000,'attention',NULL,1,0,'identity','',0,NULL,'over_profile_limit','limit 0.0002 GB',0,0,NULL,NULL,0,NULL,0,0,1750086692600000000,NULL,NULL,NULL,'',0);
CREATE TABLE folders (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    rules TEXT NOT NULL,                    -- JSON, see watching/rules.py
    enabled INTEGER NOT NULL DEFAULT 1,
    added_ns INTEGER NOT NULL,
    scanned_ns INTEGER,                     -- end of the last complete scan
    code TEXT NOT NULL DEFAULT ''           -- folder_gone while it is not there
);
INSERT INTO "folders" VALUES(1,'@FOLDER@/camera','{"after": "move", "exclude": ["*.tmp"], "include": [], "label": "camera", "minimum_age_s": 0, "move_to": "Sent", "subfolders": true, "take_existing": false}',1,1794971658763128916,1750086690800000000,'');
INSERT INTO "folders" VALUES(2,'@FOLDER@/scans','{"after": "delete", "exclude": [], "include": ["*.pdf"], "label": "", "minimum_age_s": 60, "move_to": "Sent", "subfolders": false, "take_existing": true}',1,1750000003600000000,1750086690800000000,'');
INSERT INTO "folders" VALUES(3,'@FOLDER@/usb-stick','{"after": "keep", "exclude": [], "include": [], "label": "", "minimum_age_s": 0, "move_to": "Sent", "subfolders": true, "take_existing": true}',0,1750000003600000000,NULL,'');
CREATE TABLE inbox (id INTEGER PRIMARY KEY AUTOINCREMENT, command TEXT NOT NULL, at_ns INTEGER NOT NULL);
INSERT INTO "inbox" VALUES(1,'{"command": "add", "paths": ["@FOLDER@/sources/handed over.txt"], "batch": "handed over"}',1750144000000000000);
INSERT INTO "inbox" VALUES(2,'{"command": "watch", "path": "@FOLDER@/camera", "rules": "{\"after\": \"keep\", \"exclude\": [], \"include\": [], \"label\": \"van\", \"minimum_age_s\": 0, \"move_to\": \"Sent\", \"subfolders\": true, \"take_existing\": true}"}',1750144000000000000);
INSERT INTO "inbox" VALUES(3,'{"command": "retry", "files": null}',1750144000000000000);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "meta" VALUES('hold','{"kind": "paused", "code": null, "until_ns": null, "attempt": 0, "process": 10785}');
INSERT INTO "meta" VALUES('paused_until_ns','');
INSERT INTO "meta" VALUES('settings','{"bandwidth_limit": "2MB/s", "schedule": "20:00-06:00"}');
INSERT INTO "meta" VALUES('target','{"profile": "head-office", "files_topic": "fieldpost.files", "status_topic": "fieldpost.status", "client": "van-7", "name": "Head office", "servers": "kafka.example:9093"}');
CREATE TABLE receipts (                     -- of this generation, one for each receiver
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    receiver TEXT NOT NULL,
    at TEXT NOT NULL,
    renamed INTEGER NOT NULL,
    duplicate INTEGER NOT NULL,
    PRIMARY KEY (file, receiver)
) WITHOUT ROWID;
INSERT INTO "receipts" VALUES(1,'central','2025-06-15T15:06:40.600+00:00',0,0);
INSERT INTO "receipts" VALUES(2,'central','2025-06-15T15:06:41.800+00:00',0,0);
INSERT INTO "receipts" VALUES(3,'central','2025-06-15T15:06:42.400+00:00',0,0);
INSERT INTO "receipts" VALUES(4,'branch','2025-06-15T15:06:43.600+00:00',1,1);
INSERT INTO "receipts" VALUES(6,'central','2025-06-15T15:09:49.600+00:00',0,0);
INSERT INTO "receipts" VALUES(8,'central','2025-06-15T15:09:49.600+00:00',0,0);
CREATE TABLE rounds (                       -- the last `missing` of each receiver that was taken up
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    receiver TEXT NOT NULL,
    round INTEGER NOT NULL,
    PRIMARY KEY (file, receiver)
) WITHOUT ROWID;
INSERT INTO "rounds" VALUES(15,'central',2);
INSERT INTO "rounds" VALUES(16,'central',1);
CREATE TABLE status_positions (partition INTEGER PRIMARY KEY, next_offset INTEGER NOT NULL);
INSERT INTO "status_positions" VALUES(0,13);
CREATE INDEX files_by_state ON files (state, urgent DESC, id, size);
CREATE INDEX files_by_place ON files (folder, source);
CREATE INDEX files_by_source ON files (source);
CREATE INDEX files_to_clean ON files (clean_up) WHERE clean_up = 'due';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('inbox',3);
COMMIT;
PRAGMA user_version = 1;
