<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>About Fieldpost</source>
        <translation>Über Fieldpost</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy the versions, to send them to support</source>
        <translation>Versionen kopieren, um sie dem Support zu senden</translation>
    </message>
    <message>
        <source>Fieldpost is free software under the Apache License 2.0. It is built with Qt and PySide6 (LGPL 3), Python (PSF License), librdkafka (BSD) and confluent-kafka (Apache 2.0), zstandard (BSD), watchdog (Apache 2.0), and keyring, platformdirs and rich (MIT).</source>
        <translation>Fieldpost ist freie Software unter der Apache License 2.0. Es verwendet Qt und PySide6 (LGPL 3), Python (PSF License), librdkafka (BSD) und confluent-kafka (Apache 2.0), zstandard (BSD), watchdog (Apache 2.0) sowie keyring, platformdirs und rich (MIT).</translation>
    </message>
    <message>
        <source>Fieldpost {version}</source>
        <translation>Fieldpost {version}</translation>
    </message>
    <message>
        <source>Sends your files and says for certain that they arrived.</source>
        <translation>Sendet Ihre Dateien und sagt verlässlich, dass sie angekommen sind.</translation>
    </message>
</context>
<context>
    <name>AboutFile</name>
    <message>
        <source>Copy the SHA-256</source>
        <translation>SHA-256 kopieren</translation>
    </message>
    <message>
        <source>Known once the file has been read</source>
        <translation>Bekannt, sobald die Datei gelesen ist</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Watched folder</source>
        <translation>Überwachter Ordner</translation>
    </message>
</context>
<context>
    <name>ActionRunner</name>
    <message>
        <source>&amp;Cancel sending</source>
        <translation>Senden &amp;abbrechen</translation>
    </message>
    <message>
        <source>&amp;Keep sending</source>
        <translation>&amp;Weiter senden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Parts are already on their way to {office}. They are thrown away.</source>
        <translation>Teile sind schon zu {office} unterwegs. Sie werden verworfen.</translation>
    </message>
    <message numerus="yes">
        <source>Stop sending %Ln file(s)?</source>
        <translation>
            <numerusform>Das Senden von %Ln Datei abbrechen?</numerusform>
            <numerusform>Das Senden von %Ln Dateien abbrechen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop sending {file}?</source>
        <translation>Das Senden von {file} abbrechen?</translation>
    </message>
</context>
<context>
    <name>AddFiles</name>
    <message>
        <source>Add files</source>
        <translation>Dateien hinzufügen</translation>
    </message>
</context>
<context>
    <name>AddFolder</name>
    <message>
        <source>Choose a folder to watch</source>
        <translation>Ordner zum Überwachen wählen</translation>
    </message>
</context>
<context>
    <name>AddFolderDialog</name>
    <message>
        <source>Watch a folder</source>
        <translation>Einen Ordner überwachen</translation>
    </message>
    <message>
        <source>Watch this folder</source>
        <translation>Diesen Ordner überwachen</translation>
    </message>
</context>
<context>
    <name>AdvancedSection</name>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
    <message>
        <source>A report holds logs and settings, but no password and no file of yours.</source>
        <translation>Ein Bericht enthält Protokolle und Einstellungen, aber kein Passwort und keine Ihrer Dateien.</translation>
    </message>
    <message>
        <source>A&amp;bout Fieldpost…</source>
        <translation>&amp;Über Fieldpost…</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Make a report for s&amp;upport…</source>
        <translation>Bericht für den Support erste&amp;llen…</translation>
    </message>
    <message>
        <source>Support</source>
        <translation>Support</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
</context>
<context>
    <name>AfterField</name>
    <message>
        <source>&amp;Delete it from this computer</source>
        <translation>Von diesem Computer &amp;löschen</translation>
    </message>
    <message>
        <source>&amp;Keep the file where it is</source>
        <translation>Datei bleibt, wo sie &amp;ist</translation>
    </message>
    <message>
        <source>&amp;Move it to the subfolder</source>
        <translation>In den Unterordner &amp;verschieben</translation>
    </message>
    <message>
        <source>Subfolder for sent files</source>
        <translation>Unterordner für gesendete Dateien</translation>
    </message>
</context>
<context>
    <name>AgeField</name>
    <message>
        <source>Minimum age</source>
        <translation>Mindestalter</translation>
    </message>
    <message>
        <source>Unit of the minimum age</source>
        <translation>Einheit des Mindestalters</translation>
    </message>
    <message>
        <source>hours old</source>
        <translation>Stunden</translation>
    </message>
    <message>
        <source>minutes old</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>seconds old</source>
        <translation>Sekunden</translation>
    </message>
</context>
<context>
    <name>AwakeField</name>
    <message>
        <source>&amp;Keep this computer awake while sending</source>
        <translation>Diesen Computer beim Senden &amp;wach halten</translation>
    </message>
    <message>
        <source>Only on mains power, and only while something is on its way.</source>
        <translation>Nur mit Netzstrom, und nur solange etwas unterwegs ist.</translation>
    </message>
</context>
<context>
    <name>BannerView</name>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>CheckView</name>
    <message>
        <source>&amp;Test again</source>
        <translation>Erneut &amp;testen</translation>
    </message>
    <message>
        <source>Everything works. It took {seconds} s.</source>
        <translation>Alles funktioniert. Es hat {seconds} s gedauert.</translation>
    </message>
    <message>
        <source>The connection is being tested</source>
        <translation>Die Verbindung wird getestet</translation>
    </message>
    <message>
        <source>The test ended after {seconds} s.</source>
        <translation>Der Test endete nach {seconds} s.</translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation>Läuft…</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message numerus="yes">
        <source>%Ln file(s) are not sent yet.</source>
        <translation>
            <numerusform>%Ln Datei ist noch nicht gesendet.</numerusform>
            <numerusform>%Ln Dateien sind noch nicht gesendet.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Keep running</source>
        <translation>&amp;Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Fieldpost goes on sending</source>
        <translation>Fieldpost sendet weiter</translation>
    </message>
    <message>
        <source>It stays in the notification area, next to the clock. Quit it from the menu there.</source>
        <translation>Es bleibt im Infobereich neben der Uhr. Beenden können Sie es dort über das Menü.</translation>
    </message>
    <message>
        <source>Quit Fieldpost?</source>
        <translation>Fieldpost beenden?</translation>
    </message>
    <message>
        <source>Sending goes on when Fieldpost runs again.</source>
        <translation>Das Senden geht weiter, wenn Fieldpost wieder läuft.</translation>
    </message>
</context>
<context>
    <name>ConnectionSection</name>
    <message>
        <source>&amp;Import settings file…</source>
        <translation>Einstellungsdatei &amp;importieren…</translation>
    </message>
    <message>
        <source>&amp;Test connection</source>
        <translation>Verbindung &amp;testen</translation>
    </message>
    <message>
        <source>Change pass&amp;word…</source>
        <translation>Passwort ä&amp;ndern…</translation>
    </message>
    <message>
        <source>Fieldpost is not set up yet. Import the settings file that you got from your office.</source>
        <translation>Fieldpost ist noch nicht eingerichtet. Importieren Sie die Einstellungsdatei, die Sie von Ihrem Büro bekommen haben.</translation>
    </message>
</context>
<context>
    <name>Controller</name>
    <message>
        <source>Not set up</source>
        <translation>Nicht eingerichtet</translation>
    </message>
    <message>
        <source>account {user}</source>
        <translation>Konto {user}</translation>
    </message>
    <message>
        <source>{office} · this computer sends as {client}</source>
        <translation>{office} · dieser Computer sendet als {client}</translation>
    </message>
</context>
<context>
    <name>DetailPane</name>
    <message>
        <source>Choose a file to see its details</source>
        <translation>Wählen Sie eine Datei, um Einzelheiten zu sehen</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>So far</source>
        <translation>Bisher</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>Die Datei</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Where is {name} now?</source>
        <translation>Wo ist {name} jetzt?</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message numerus="yes">
        <source>Drop to send: %n item(s)</source>
        <translation>
            <numerusform>Zum Senden ablegen: %n Element</numerusform>
            <numerusform>Zum Senden ablegen: %n Elemente</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmptyList</name>
    <message>
        <source>A&amp;dd files…</source>
        <translation>&amp;Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>No file matches “{text}”.</source>
        <translation>Keine Datei passt zu „{text}“.</translation>
    </message>
    <message>
        <source>Nothing here yet. Drop files on this window, or press Add files…</source>
        <translation>Hier ist noch nichts. Legen Sie Dateien auf diesem Fenster ab, oder drücken Sie Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>Nothing is confirmed yet.</source>
        <translation>Noch ist nichts bestätigt.</translation>
    </message>
    <message>
        <source>Nothing is on its way. Drop files on this window, or press Add files…</source>
        <translation>Nichts ist unterwegs. Legen Sie Dateien auf diesem Fenster ab, oder drücken Sie Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>Nothing needs you.</source>
        <translation>Sie müssen sich um nichts kümmern.</translation>
    </message>
</context>
<context>
    <name>ErrorBox</name>
    <message>
        <source>&amp;Details</source>
        <translation>&amp;Details</translation>
    </message>
</context>
<context>
    <name>ExistingFiles</name>
    <message>
        <source>&amp;No, only what comes from now on</source>
        <translation>&amp;Nein, nur was ab jetzt dazukommt</translation>
    </message>
    <message>
        <source>&amp;Yes, send them too</source>
        <translation>&amp;Ja, auch diese senden</translation>
    </message>
    <message numerus="yes">
        <source>This folder already holds %Ln file(s) ({size}). Send them too?</source>
        <translation>
            <numerusform>In diesem Ordner liegt schon %Ln Datei ({size}). Soll sie auch gesendet werden?</numerusform>
            <numerusform>In diesem Ordner liegen schon %Ln Dateien ({size}). Sollen sie auch gesendet werden?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FailureView</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the details</source>
        <translation>Details kopieren</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Shows the text for support</source>
        <translation>Zeigt den Text für den Support</translation>
    </message>
    <message>
        <source>What comes next</source>
        <translation>Wie es weitergeht</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
    <message>
        <source>What you can do</source>
        <translation>Was Sie tun können</translation>
    </message>
</context>
<context>
    <name>Field</name>
    <message>
        <source>Set by your organisation</source>
        <translation>Von Ihrer Organisation festgelegt</translation>
    </message>
</context>
<context>
    <name>FilePage</name>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen…</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Drop the file here, or look for it:</source>
        <translation>Legen Sie die Datei hier ab, oder suchen Sie sie:</translation>
    </message>
    <message>
        <source>File: {file}. To take another one, drop it here, or look for it:</source>
        <translation>Datei: {file}. Um eine andere zu nehmen, legen Sie sie hier ab, oder suchen Sie sie:</translation>
    </message>
    <message>
        <source>It tells Fieldpost where to send. You got it from your office; its name ends in .fieldpost.</source>
        <translation>Sie sagt Fieldpost, wohin gesendet wird. Sie haben sie von Ihrem Büro bekommen; ihr Name endet auf .fieldpost.</translation>
    </message>
    <message>
        <source>Let go to read this file.</source>
        <translation>Loslassen, um diese Datei zu lesen.</translation>
    </message>
    <message>
        <source>Reading {file}…</source>
        <translation>{file} wird gelesen…</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>Einstellungsdatei</translation>
    </message>
    <message>
        <source>Settings files (*.fieldpost)</source>
        <translation>Einstellungsdateien (*.fieldpost)</translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message>
        <source>&amp;Confirmed ({n})</source>
        <translation>Bes&amp;tätigt ({n})</translation>
    </message>
    <message>
        <source>&amp;In progress ({n})</source>
        <translation>&amp;Unterwegs ({n})</translation>
    </message>
    <message>
        <source>A&amp;ll</source>
        <translation>&amp;Alle</translation>
    </message>
    <message>
        <source>Copy failed pat&amp;hs</source>
        <translation>Fehlgeschlagene Pfade &amp;kopieren</translation>
    </message>
    <message>
        <source>Export this list as CSV…</source>
        <translation>Diese Liste als CSV exportieren…</translation>
    </message>
    <message>
        <source>Needs a&amp;ttention ({n})</source>
        <translation>Sie sind &amp;gefragt ({n})</translation>
    </message>
    <message>
        <source>Retry all &amp;failed</source>
        <translation>Fehlgeschlagene erneut &amp;versuchen</translation>
    </message>
    <message>
        <source>Search names and folders</source>
        <translation>Namen und Ordner durchsuchen</translation>
    </message>
</context>
<context>
    <name>FolderList</name>
    <message>
        <source>Watched folders</source>
        <translation>Überwachte Ordner</translation>
    </message>
</context>
<context>
    <name>FolderRow</name>
    <message>
        <source>Check now</source>
        <translation>Jetzt prüfen</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Watch {path}</source>
        <translation>{path} überwachen</translation>
    </message>
</context>
<context>
    <name>FoldersPage</name>
    <message>
        <source>&amp;Watch a folder…</source>
        <translation>&amp;Ordner überwachen…</translation>
    </message>
    <message>
        <source>Files that are already in the list go on being sent. Nothing in the folder is changed.</source>
        <translation>Dateien, die schon in der Liste sind, werden weiter gesendet. Im Ordner wird nichts geändert.</translation>
    </message>
    <message>
        <source>Looking into {path}…</source>
        <translation>{path} wird durchgesehen…</translation>
    </message>
    <message>
        <source>Remove a folder</source>
        <translation>Einen Ordner entfernen</translation>
    </message>
    <message>
        <source>Stop watching</source>
        <translation>Nicht mehr überwachen</translation>
    </message>
    <message>
        <source>Stop watching {path}?</source>
        <translation>{path} nicht mehr überwachen?</translation>
    </message>
    <message>
        <source>This did not work.</source>
        <translation>Das hat nicht geklappt.</translation>
    </message>
</context>
<context>
    <name>GeneralSection</name>
    <message>
        <source>&amp;Language</source>
        <translation>Spra&amp;che</translation>
    </message>
    <message>
        <source>Acts at the next start of Fieldpost.</source>
        <translation>Gilt ab dem nächsten Start von Fieldpost.</translation>
    </message>
    <message>
        <source>As this computer does</source>
        <translation>Wie dieser Computer</translation>
    </message>
    <message>
        <source>Not possible here: Fieldpost is not installed, or uses a folder of its own.</source>
        <translation>Hier nicht möglich: Fieldpost ist nicht installiert oder benutzt einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>Show not&amp;ifications</source>
        <translation>&amp;Benachrichtigungen anzeigen</translation>
    </message>
    <message>
        <source>Start &amp;Fieldpost when I sign in to this computer</source>
        <translation>Fieldpost starten, wenn ich mich an diesem Computer an&amp;melde</translation>
    </message>
    <message>
        <source>Start and notifications</source>
        <translation>Start und Benachrichtigungen</translation>
    </message>
    <message>
        <source>This could not be changed: {why}</source>
        <translation>Das konnte nicht geändert werden: {why}</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>&amp;Add files…</source>
        <translation>Dateien &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Pause all</source>
        <translation>Alle &amp;pausieren</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>For 1 hour</source>
        <translation>Für 1 Stunde</translation>
    </message>
    <message>
        <source>Send &amp;now</source>
        <translation>Jetzt &amp;senden</translation>
    </message>
    <message>
        <source>Send at once: do not wait for the set hours or the next try</source>
        <translation>Sofort senden: nicht auf die Sendezeiten oder den nächsten Versuch warten</translation>
    </message>
    <message>
        <source>Until I resume</source>
        <translation>Bis ich fortsetze</translation>
    </message>
</context>
<context>
    <name>HoursField</name>
    <message>
        <source>At an&amp;y time</source>
        <translation>&amp;Jederzeit</translation>
    </message>
    <message>
        <source>Both times are the same. Choose “At any time”, or set two different times.</source>
        <translation>Beide Zeiten sind gleich. Wählen Sie „Jederzeit“, oder stellen Sie zwei verschiedene Zeiten ein.</translation>
    </message>
    <message>
        <source>Only &amp;between</source>
        <translation>&amp;Nur zwischen</translation>
    </message>
    <message>
        <source>Sending begins at</source>
        <translation>Senden beginnt um</translation>
    </message>
    <message>
        <source>Sending ends at</source>
        <translation>Senden endet um</translation>
    </message>
    <message>
        <source>and</source>
        <comment>between two times of the day</comment>
        <translation>und</translation>
    </message>
</context>
<context>
    <name>LimitField</name>
    <message>
        <source>&amp;Limit the speed to</source>
        <translation>&amp;Tempo begrenzen auf</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>MB/s</translation>
    </message>
    <message>
        <source>Most that is sent in a second</source>
        <translation>Höchstens so viel wird in einer Sekunde gesendet</translation>
    </message>
    <message>
        <source>This is too slow to get anything across. Set at least 1 kB/s.</source>
        <translation>So langsam kommt nichts durch. Stellen Sie mindestens 1 kB/s ein.</translation>
    </message>
    <message>
        <source>Unit of the speed</source>
        <translation>Einheit des Tempos</translation>
    </message>
    <message>
        <source>kB/s</source>
        <translation>kB/s</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Fieldpost</source>
        <translation>Fieldpost</translation>
    </message>
</context>
<context>
    <name>MeteredField</name>
    <message>
        <source>Send everything</source>
        <translation>Alles senden</translation>
    </message>
    <message>
        <source>Send nothing</source>
        <translation>Nichts senden</translation>
    </message>
    <message>
        <source>Send only files up to 5 MB</source>
        <translation>Nur Dateien bis 5 MB senden</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>Übertragungen</translation>
    </message>
    <message>
        <source>Watched folders</source>
        <translation>Überwachte Ordner</translation>
    </message>
</context>
<context>
    <name>NoFolders</name>
    <message>
        <source>&amp;Watch a folder…</source>
        <translation>&amp;Ordner überwachen…</translation>
    </message>
    <message>
        <source>Choose a folder, and Fieldpost sends every file that is saved there, by itself. You can also drop a folder on this page.</source>
        <translation>Wählen Sie einen Ordner, und Fieldpost sendet von selbst jede Datei, die dort gespeichert wird. Sie können einen Ordner auch auf dieser Seite ablegen.</translation>
    </message>
    <message>
        <source>No folder is watched yet</source>
        <translation>Noch wird kein Ordner überwacht</translation>
    </message>
</context>
<context>
    <name>PartsBar</name>
    <message>
        <source>Part {first}: {state}</source>
        <translation>Teil {first}: {state}</translation>
    </message>
    <message>
        <source>Parts of the file: not known</source>
        <translation>Teile der Datei: nicht bekannt</translation>
    </message>
    <message>
        <source>Parts of the file: {counts}</source>
        <translation>Teile der Datei: {counts}</translation>
    </message>
    <message>
        <source>Parts {first} to {last}: {state}</source>
        <translation>Teile {first} bis {last}: {state}</translation>
    </message>
</context>
<context>
    <name>PasswordDialog</name>
    <message>
        <source>&amp;Password:</source>
        <translation>&amp;Passwort:</translation>
    </message>
    <message>
        <source>Office:</source>
        <translation>Büro:</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>User name:</source>
        <translation>Benutzername:</translation>
    </message>
</context>
<context>
    <name>PasswordField</name>
    <message>
        <source>&amp;Show password</source>
        <translation>Passwort an&amp;zeigen</translation>
    </message>
    <message>
        <source>Kept in Windows&apos; password store, never in a file.</source>
        <translation>Wird im Passwortspeicher von Windows aufbewahrt, nie in einer Datei.</translation>
    </message>
    <message>
        <source>Kept in this computer&apos;s password store, never in a file.</source>
        <translation>Wird im Passwortspeicher dieses Computers aufbewahrt, nie in einer Datei.</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>This password holds a character that cannot be sent. Type it by hand.</source>
        <translation>Dieses Passwort enthält ein Zeichen, das nicht gesendet werden kann. Tippen Sie es von Hand ein.</translation>
    </message>
</context>
<context>
    <name>PasswordPage</name>
    <message>
        <source>&amp;Password:</source>
        <translation>&amp;Passwort:</translation>
    </message>
    <message>
        <source>&amp;User name:</source>
        <translation>&amp;Benutzername:</translation>
    </message>
    <message>
        <source>Name and password</source>
        <translation>Name und Passwort</translation>
    </message>
    <message>
        <source>With these this computer signs in to {office}.</source>
        <translation>Damit meldet sich dieser Computer bei {office} an.</translation>
    </message>
    <message>
        <source>leave empty to keep the one you have</source>
        <translation>leer lassen, um das bisherige zu behalten</translation>
    </message>
</context>
<context>
    <name>RenameDialog</name>
    <message>
        <source>&amp;Name at {office}:</source>
        <translation>&amp;Name bei {office}:</translation>
    </message>
    <message>
        <source>At {office} it is written as {name}</source>
        <translation>Bei {office} heißt sie {name}</translation>
    </message>
    <message>
        <source>Only the name under which it arrives changes. The file on this computer keeps its name.</source>
        <translation>Nur der Name, unter dem sie ankommt, ändert sich. Die Datei auf diesem Computer behält ihren Namen.</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send under another name</source>
        <translation>Unter anderem Namen senden</translation>
    </message>
    <message>
        <source>This is the name it has now. Write another one.</source>
        <translation>So heißt sie jetzt schon. Schreiben Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>This name cannot be used: {reason}.</source>
        <translation>Dieser Name geht nicht: {reason}.</translation>
    </message>
    <message>
        <source>This name is fine.</source>
        <translation>Dieser Name ist in Ordnung.</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>&amp;Choose another place…</source>
        <translation>Anderen Ort &amp;wählen…</translation>
    </message>
    <message>
        <source>&amp;Make the report</source>
        <translation>&amp;Bericht erstellen</translation>
    </message>
    <message>
        <source>&amp;Show in folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>A report helps support to find out what is wrong. It is only written to a file; you decide whom to give it to.</source>
        <translation>Ein Bericht hilft dem Support herauszufinden, was nicht stimmt. Er wird nur in eine Datei geschrieben; Sie entscheiden, wem Sie ihn geben.</translation>
    </message>
    <message>
        <source>In it:</source>
        <translation>Darin steht:</translation>
    </message>
    <message>
        <source>It is written to:</source>
        <translation>Er kommt hierhin:</translation>
    </message>
    <message>
        <source>Make a report for support</source>
        <translation>Bericht für den Support erstellen</translation>
    </message>
    <message>
        <source>Not in it:</source>
        <translation>Nicht darin steht:</translation>
    </message>
    <message>
        <source>The report could not be written there. Choose another place and try again.</source>
        <translation>Dort konnte der Bericht nicht geschrieben werden. Wählen Sie einen anderen Ort, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The report is being made…</source>
        <translation>Der Bericht wird erstellt…</translation>
    </message>
    <message>
        <source>The report is ready. Please send it to support, for example by e-mail.</source>
        <translation>Der Bericht ist fertig. Bitte senden Sie ihn dem Support, zum Beispiel per E-Mail.</translation>
    </message>
    <message>
        <source>Where to write the report</source>
        <translation>Wohin mit dem Bericht</translation>
    </message>
    <message>
        <source>ZIP files (*.zip)</source>
        <translation>ZIP-Dateien (*.zip)</translation>
    </message>
    <message>
        <source>passwords</source>
        <translation>Passwörter</translation>
    </message>
    <message>
        <source>the list of files with sizes and times; their names are replaced by codes</source>
        <translation>die Liste der Dateien mit Größen und Zeiten; ihre Namen sind durch Codes ersetzt</translation>
    </message>
    <message>
        <source>the names of your files and folders, and what is in them</source>
        <translation>die Namen Ihrer Dateien und Ordner und was darin ist</translation>
    </message>
    <message>
        <source>the settings file of your organisation, which holds no password</source>
        <translation>die Einstellungsdatei Ihrer Organisation, die kein Passwort enthält</translation>
    </message>
    <message>
        <source>the versions of Fieldpost and of this computer</source>
        <translation>die Versionen von Fieldpost und von diesem Computer</translation>
    </message>
    <message>
        <source>what Fieldpost noted while it worked, without passwords and file names</source>
        <translation>was Fieldpost bei der Arbeit notiert hat, ohne Passwörter und Dateinamen</translation>
    </message>
    <message>
        <source>what is set about sending</source>
        <translation>die Einstellungen zum Senden</translation>
    </message>
</context>
<context>
    <name>RulesDialog</name>
    <message>
        <source>Delete after confirmation</source>
        <translation>Nach der Bestätigung löschen</translation>
    </message>
    <message>
        <source>Delete the files in this folder after confirmation?</source>
        <translation>Die Dateien in diesem Ordner nach der Bestätigung löschen?</translation>
    </message>
    <message>
        <source>Each file is deleted from this computer as soon as the office has confirmed it. There is no undo.</source>
        <translation>Jede Datei wird von diesem Computer gelöscht, sobald das Büro sie bestätigt hat. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Please say first whether the files already there are to be sent.</source>
        <translation>Bitte sagen Sie zuerst, ob die schon vorhandenen Dateien gesendet werden sollen.</translation>
    </message>
    <message>
        <source>Rules of a watched folder</source>
        <translation>Regeln eines überwachten Ordners</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>What the new rules take is sent, also if it was left out before.</source>
        <translation>Was die neuen Regeln zulassen, wird gesendet, auch wenn es vorher ausgelassen wurde.</translation>
    </message>
</context>
<context>
    <name>RulesForm</name>
    <message>
        <source>&amp;File them under:</source>
        <translation>A&amp;blegen unter:</translation>
    </message>
    <message>
        <source>&amp;Leave out:</source>
        <translation>&amp;Auslassen:</translation>
    </message>
    <message>
        <source>&amp;Only these files:</source>
        <translation>&amp;Nur diese Dateien:</translation>
    </message>
    <message>
        <source>A file can be held back for at most 30 days.</source>
        <translation>Eine Datei kann höchstens 30 Tage zurückgehalten werden.</translation>
    </message>
    <message>
        <source>After confirmation:</source>
        <translation>Nach der Bestätigung:</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Alle Dateien</translation>
    </message>
    <message>
        <source>Files in &amp;subfolders too</source>
        <translation>Auch Dateien in &amp;Unterordnern</translation>
    </message>
    <message>
        <source>For example *.jpg, *.pdf. Leave it empty for all files.</source>
        <translation>Zum Beispiel *.jpg, *.pdf. Leer lassen für alle Dateien.</translation>
    </message>
    <message>
        <source>For example draft* for names that begin so, raw/ for a subfolder.</source>
        <translation>Zum Beispiel entwurf* für Namen, die so beginnen, roh/ für einen Unterordner.</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>The folder for sent files needs a plain name, such as Sent.</source>
        <translation>Der Ordner für gesendete Dateien braucht einen einfachen Namen, zum Beispiel Gesendet.</translation>
    </message>
    <message>
        <source>The name to file them under cannot be used. Plain letters and digits always work.</source>
        <translation>Der Name zum Ablegen kann nicht verwendet werden. Einfache Buchstaben und Ziffern gehen immer.</translation>
    </message>
    <message>
        <source>The office finds the files in a folder of this name, for example Van 7.</source>
        <translation>Das Büro findet die Dateien in einem Ordner dieses Namens, zum Beispiel Wagen 7.</translation>
    </message>
    <message>
        <source>Wai&amp;t until a file is:</source>
        <translation>&amp;Warten, bis eine Datei so alt ist:</translation>
    </message>
    <message>
        <source>“Leave out” cannot be used like this. Write something like draft*, raw/</source>
        <translation>„Auslassen“ geht so nicht. Schreiben Sie zum Beispiel entwurf*, roh/</translation>
    </message>
    <message>
        <source>“Only these files” cannot be used like this. Write something like *.jpg, *.pdf</source>
        <translation>„Nur diese Dateien“ geht so nicht. Schreiben Sie zum Beispiel *.jpg, *.pdf</translation>
    </message>
</context>
<context>
    <name>SendQuestion</name>
    <message numerus="yes">
        <source>%n more file(s) cannot be sent; the list will say why.</source>
        <translation>
            <numerusform>%n weitere Datei kann nicht gesendet werden; die Liste sagt, warum.</numerusform>
            <numerusform>%n weitere Dateien können nicht gesendet werden; die Liste sagt, warum.</numerusform>
        </translation>
    </message>
    <message>
        <source>Counting files</source>
        <translation>Dateien werden gezählt</translation>
    </message>
    <message>
        <source>Counting… {files} ({size}) so far.</source>
        <translation>Wird gezählt… Bisher {files} ({size}).</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send files</source>
        <translation>Dateien senden</translation>
    </message>
    <message>
        <source>Send {files} ({size})?</source>
        <translation>{files} ({size}) senden?</translation>
    </message>
    <message>
        <source>There is nothing to send in there.</source>
        <translation>Darin ist nichts zu senden.</translation>
    </message>
</context>
<context>
    <name>SendingSection</name>
    <message>
        <source>Connections that cost &amp;money</source>
        <translation>Verbindungen, die &amp;Geld kosten</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Sleep</source>
        <translation>Ruhezustand</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>&amp;Connection</source>
        <translation>&amp;Verbindung</translation>
    </message>
    <message>
        <source>&amp;General</source>
        <translation>&amp;Allgemein</translation>
    </message>
    <message>
        <source>&amp;Sending</source>
        <translation>S&amp;enden</translation>
    </message>
    <message>
        <source>A&amp;dvanced</source>
        <translation>E&amp;rweitert</translation>
    </message>
    <message>
        <source>Sections of the settings</source>
        <translation>Abschnitte der Einstellungen</translation>
    </message>
</context>
<context>
    <name>SetupWizard</name>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Set up Fieldpost</source>
        <translation>Fieldpost einrichten</translation>
    </message>
</context>
<context>
    <name>StatusBanners</name>
    <message>
        <source>Another Fieldpost program is sending right now.</source>
        <translation>Gerade sendet ein anderes Fieldpost-Programm.</translation>
    </message>
    <message>
        <source>Connected to {office}.</source>
        <translation>Mit {office} verbunden.</translation>
    </message>
    <message>
        <source>Fieldpost is not set up yet.</source>
        <translation>Fieldpost ist noch nicht eingerichtet.</translation>
    </message>
    <message>
        <source>Nothing is sent before you enter it. Your files stay in the list.</source>
        <translation>Vorher wird nichts gesendet. Ihre Dateien bleiben in der Liste.</translation>
    </message>
    <message>
        <source>Sending goes on. Files are confirmed when it answers again.</source>
        <translation>Das Senden geht weiter. Dateien werden bestätigt, sobald wieder eine Antwort kommt.</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>Einrichten…</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>This window takes over when it has ended.</source>
        <translation>Dieses Fenster übernimmt, sobald es beendet ist.</translation>
    </message>
    <message>
        <source>You need the settings file that your organisation gave you.</source>
        <translation>Sie brauchen die Einstellungsdatei, die Sie von Ihrer Organisation bekommen haben.</translation>
    </message>
    <message>
        <source>Your password is needed.</source>
        <translation>Ihr Passwort wird gebraucht.</translation>
    </message>
    <message>
        <source>{office} is not answering at the moment.</source>
        <translation>{office} antwortet zurzeit nicht.</translation>
    </message>
</context>
<context>
    <name>SummaryView</name>
    <message>
        <source>Fingerprint</source>
        <translation>Fingerabdruck</translation>
    </message>
    <message>
        <source>Fingerprint. If in doubt, call your support and compare it:</source>
        <translation>Fingerabdruck. Rufen Sie im Zweifel Ihren Support an, und vergleichen Sie ihn:</translation>
    </message>
</context>
<context>
    <name>TestPage</name>
    <message>
        <source>&amp;Finish</source>
        <translation>&amp;Fertigstellen</translation>
    </message>
    <message>
        <source>&amp;Finish anyway</source>
        <translation>Trotzdem &amp;fertigstellen</translation>
    </message>
    <message>
        <source>Connection test</source>
        <translation>Verbindungstest</translation>
    </message>
    <message>
        <source>Fieldpost looks whether files can be sent to {office}.</source>
        <translation>Fieldpost prüft, ob Dateien zu {office} gesendet werden können.</translation>
    </message>
    <message>
        <source>You can finish anyway; Fieldpost goes on trying. Your files wait on this computer until then.</source>
        <translation>Sie können trotzdem fertigstellen; Fieldpost versucht es weiter. So lange warten Ihre Dateien auf diesem Computer.</translation>
    </message>
</context>
<context>
    <name>TransfersModel</name>
    <message>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Woher</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>TransfersPage</name>
    <message numerus="yes">
        <source>%Ln path(s) copied.</source>
        <translation>
            <numerusform>%Ln Pfad kopiert.</numerusform>
            <numerusform>%Ln Pfade kopiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Export this list</source>
        <translation>Diese Liste exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>{files} written.</source>
        <translation>{files} geschrieben.</translation>
    </message>
</context>
<context>
    <name>TransfersView</name>
    <message>
        <source>&amp;Details	Enter</source>
        <translation>&amp;Details	Eingabe</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>&amp;Add files…</source>
        <translation>Dateien &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>H&amp;ilfe</translation>
    </message>
    <message>
        <source>&amp;Make a report…</source>
        <translation>&amp;Bericht erstellen…</translation>
    </message>
    <message>
        <source>&amp;Open Fieldpost</source>
        <translation>Fieldpost &amp;öffnen</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pausieren</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Until I resume</source>
        <translation>Bis ich &amp;fortsetze</translation>
    </message>
    <message>
        <source>For 1 &amp;hour</source>
        <translation>Für 1 &amp;Stunde</translation>
    </message>
    <message>
        <source>Send &amp;now</source>
        <translation>Jetzt &amp;senden</translation>
    </message>
</context>
<context>
    <name>_WatchOverlay</name>
    <message>
        <source>Drop a folder here to watch it</source>
        <translation>Ordner hier ablegen, um ihn zu überwachen</translation>
    </message>
</context>
<context>
    <name>about</name>
    <message>
        <source>Computer</source>
        <translation>Computer</translation>
    </message>
    <message>
        <source>Installed as a program</source>
        <translation>Als Programm installiert</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
</context>
<context>
    <name>actions</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Locate…</source>
        <translation>Datei s&amp;uchen…</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pausieren</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Try now</source>
        <translation>&amp;Jetzt versuchen</translation>
    </message>
    <message>
        <source>Copy p&amp;ath</source>
        <translation>Pfad &amp;kopieren</translation>
    </message>
    <message>
        <source>Enter pass&amp;word…</source>
        <translation>Pass&amp;wort eingeben…</translation>
    </message>
    <message>
        <source>Make a rep&amp;ort…</source>
        <translation>&amp;Bericht erstellen…</translation>
    </message>
    <message>
        <source>Send &amp;now</source>
        <translation>Jetzt &amp;senden</translation>
    </message>
    <message>
        <source>Send a&amp;gain</source>
        <translation>&amp;Erneut senden</translation>
    </message>
    <message>
        <source>Send an&amp;yway</source>
        <translation>&amp;Trotzdem senden</translation>
    </message>
    <message>
        <source>Send the new &amp;version</source>
        <translation>&amp;Neue Fassung senden</translation>
    </message>
    <message>
        <source>Send under another na&amp;me…</source>
        <translation>Unter anderem Na&amp;men senden…</translation>
    </message>
    <message>
        <source>Show in &amp;folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
</context>
<context>
    <name>announcer</name>
    <message numerus="yes">
        <source>%Ln file(s) confirmed</source>
        <translation>
            <numerusform>%Ln Datei bestätigt</numerusform>
            <numerusform>%Ln Dateien bestätigt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) need you</source>
        <translation>
            <numerusform>Bei %Ln Datei sind Sie gefragt</numerusform>
            <numerusform>Bei %Ln Dateien sind Sie gefragt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) not delivered for 24 hours</source>
        <translation>
            <numerusform>%Ln Datei seit 24 Stunden nicht zugestellt</numerusform>
            <numerusform>%Ln Dateien seit 24 Stunden nicht zugestellt</numerusform>
        </translation>
    </message>
    <message>
        <source>Fieldpost goes on trying. Keep the originals until then.</source>
        <translation>Fieldpost versucht es weiter. Behalten Sie die Originale bis dahin.</translation>
    </message>
    <message>
        <source>Nothing can be sent now</source>
        <translation>Zurzeit kann nichts gesendet werden</translation>
    </message>
    <message>
        <source>They have arrived at {office}.</source>
        <translation>Sie sind bei {office} angekommen.</translation>
    </message>
    <message>
        <source>{file} has arrived at {office}.</source>
        <translation>{file} ist bei {office} angekommen.</translation>
    </message>
</context>
<context>
    <name>codes</name>
    <message>
        <source>A message cannot be decompressed ({detail}).</source>
        <translation>Eine Nachricht lässt sich nicht entpacken ({detail}).</translation>
    </message>
    <message>
        <source>A message contradicts an earlier one of its transfer ({detail}).</source>
        <translation>Eine Nachricht widerspricht einer früheren derselben Übertragung ({detail}).</translation>
    </message>
    <message>
        <source>A message has a header twice ({detail}).</source>
        <translation>Eine Nachricht hat eine Kopfzeile doppelt ({detail}).</translation>
    </message>
    <message>
        <source>A message has a part that is too big ({detail}).</source>
        <translation>Eine Nachricht hat einen zu großen Teil ({detail}).</translation>
    </message>
    <message>
        <source>A message has a wrong client name ({detail}).</source>
        <translation>Eine Nachricht hat einen falschen Absendernamen ({detail}).</translation>
    </message>
    <message>
        <source>A message has a wrong number ({detail}).</source>
        <translation>Eine Nachricht hat eine falsche Zahl ({detail}).</translation>
    </message>
    <message>
        <source>A message has a wrong transfer id ({detail}).</source>
        <translation>Eine Nachricht hat eine falsche Übertragungsnummer ({detail}).</translation>
    </message>
    <message>
        <source>A message has an unknown encoding ({detail}).</source>
        <translation>Eine Nachricht hat eine unbekannte Kodierung ({detail}).</translation>
    </message>
    <message>
        <source>A message has an unreadable SHA-256 ({detail}).</source>
        <translation>Eine Nachricht hat eine unlesbare SHA-256-Prüfsumme ({detail}).</translation>
    </message>
    <message>
        <source>A message has an unreadable version ({detail}).</source>
        <translation>Eine Nachricht hat eine unlesbare Version ({detail}).</translation>
    </message>
    <message>
        <source>A message has text that cannot be read ({detail}).</source>
        <translation>Eine Nachricht hat unlesbaren Text ({detail}).</translation>
    </message>
    <message>
        <source>A message has too many headers ({detail}).</source>
        <translation>Eine Nachricht hat zu viele Kopfzeilen ({detail}).</translation>
    </message>
    <message>
        <source>A message is not as long as it says ({detail}).</source>
        <translation>Eine Nachricht ist nicht so lang, wie sie angibt ({detail}).</translation>
    </message>
    <message>
        <source>A message is of an unknown kind ({detail}).</source>
        <translation>Eine Nachricht ist von unbekannter Art ({detail}).</translation>
    </message>
    <message>
        <source>A message lacks a header ({detail}).</source>
        <translation>Einer Nachricht fehlt eine Kopfzeile ({detail}).</translation>
    </message>
    <message>
        <source>A message&apos;s bytes do not match their SHA-256 ({detail}).</source>
        <translation>Der Inhalt einer Nachricht passt nicht zu seiner SHA-256-Prüfsumme ({detail}).</translation>
    </message>
    <message>
        <source>A pack has an unreadable index ({detail}).</source>
        <translation>Ein Paket hat ein unlesbares Verzeichnis ({detail}).</translation>
    </message>
    <message>
        <source>A setting is wrong: {detail}.</source>
        <translation>Eine Einstellung ist falsch: {detail}.</translation>
    </message>
    <message>
        <source>A status message cannot be read ({detail}).</source>
        <translation>Eine Statusnachricht kann nicht gelesen werden ({detail}).</translation>
    </message>
    <message>
        <source>Already at {office}.</source>
        <translation>Schon bei {office}.</translation>
    </message>
    <message>
        <source>Ask support for a new one.</source>
        <translation>Bitten Sie den Support um eine neue.</translation>
    </message>
    <message>
        <source>Ask whoever looks after this computer.</source>
        <translation>Fragen Sie, wer diesen Computer betreut.</translation>
    </message>
    <message>
        <source>Ask whoever owns it to let you read it.</source>
        <translation>Bitten Sie, wem sie gehört, Ihnen das Lesen zu erlauben.</translation>
    </message>
    <message>
        <source>Bring it back, or choose another.</source>
        <translation>Bringen Sie ihn zurück, oder wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>Call support.</source>
        <translation>Rufen Sie den Support an.</translation>
    </message>
    <message>
        <source>Call support. Keep the file.</source>
        <translation>Rufen Sie den Support an. Behalten Sie die Datei.</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Check this computer&apos;s date and time.</source>
        <translation>Prüfen Sie Datum und Uhrzeit dieses Computers.</translation>
    </message>
    <message>
        <source>Close it there; sending then starts.</source>
        <translation>Schließen Sie sie dort; dann beginnt das Senden.</translation>
    </message>
    <message>
        <source>Confirmations cannot be read.</source>
        <translation>Bestätigungen können nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Confirmed, but the file could not be moved.</source>
        <translation>Bestätigt, aber die Datei konnte nicht verschoben werden.</translation>
    </message>
    <message>
        <source>Correct it, then start again.</source>
        <translation>Berichtigen Sie sie, und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>Enter the password again.</source>
        <translation>Geben Sie das Passwort noch einmal ein.</translation>
    </message>
    <message>
        <source>Fieldpost connects again by itself.</source>
        <translation>Fieldpost verbindet sich von selbst neu.</translation>
    </message>
    <message>
        <source>Fieldpost is not set up yet.</source>
        <translation>Fieldpost ist noch nicht eingerichtet.</translation>
    </message>
    <message>
        <source>Fieldpost tries again by itself.</source>
        <translation>Fieldpost versucht es von selbst erneut.</translation>
    </message>
    <message>
        <source>Fieldpost tries again; else move it yourself.</source>
        <translation>Fieldpost versucht es erneut; sonst verschieben Sie sie bitte selbst.</translation>
    </message>
    <message>
        <source>Folders are checked anew. Add dropped files again.</source>
        <translation>Ordner werden neu geprüft. Fügen Sie abgelegte Dateien noch einmal hinzu.</translation>
    </message>
    <message>
        <source>Import the settings file you were given.</source>
        <translation>Importieren Sie die Einstellungsdatei, die Sie bekommen haben.</translation>
    </message>
    <message>
        <source>It is fetched first.</source>
        <translation>Sie wird zuerst geholt.</translation>
    </message>
    <message>
        <source>It is sent again by itself.</source>
        <translation>Sie wird von selbst noch einmal gesendet.</translation>
    </message>
    <message>
        <source>Keep the file.</source>
        <translation>Behalten Sie die Datei.</translation>
    </message>
    <message>
        <source>Keep the quarantine entry and tell the developers.</source>
        <translation>Behalten Sie den Quarantäne-Eintrag und sagen Sie es den Entwicklern.</translation>
    </message>
    <message>
        <source>Ledger and topic do not belong together ({detail}).</source>
        <translation>Verzeichnis und Topic gehören nicht zusammen ({detail}).</translation>
    </message>
    <message>
        <source>Make a report for support.</source>
        <translation>Erstellen Sie einen Bericht für den Support.</translation>
    </message>
    <message>
        <source>Make some room.</source>
        <translation>Schaffen Sie etwas Platz.</translation>
    </message>
    <message>
        <source>Mend the disk, its mount or its permissions; then start the receiver again.</source>
        <translation>Bringen Sie den Datenträger, seine Einbindung oder seine Rechte in Ordnung; starten Sie dann den Empfänger neu.</translation>
    </message>
    <message>
        <source>No answer from {office} for {detail}.</source>
        <translation>Seit {detail} keine Antwort von {office}.</translation>
    </message>
    <message>
        <source>No connection to {office}.</source>
        <translation>Keine Verbindung zu {office}.</translation>
    </message>
    <message>
        <source>No secure connection to {office}.</source>
        <translation>Keine sichere Verbindung zu {office}.</translation>
    </message>
    <message>
        <source>On guest Wi-Fi sign in first, else call support.</source>
        <translation>Melden Sie sich in einem Gäste-WLAN zuerst an, sonst rufen Sie den Support an.</translation>
    </message>
    <message>
        <source>Open your browser.</source>
        <translation>Öffnen Sie Ihren Browser.</translation>
    </message>
    <message>
        <source>Parts are still missing after 5 tries.</source>
        <translation>Nach 5 Versuchen fehlen immer noch Teile.</translation>
    </message>
    <message>
        <source>Please update.</source>
        <translation>Bitte aktualisieren Sie es.</translation>
    </message>
    <message>
        <source>Restore its copy, or run fieldpost-receiver rebuild.</source>
        <translation>Stellen Sie seine Kopie wieder her, oder starten Sie fieldpost-receiver rebuild.</translation>
    </message>
    <message>
        <source>Restore the ledger&apos;s copy, or run fieldpost-receiver rebuild.</source>
        <translation>Stellen Sie die Kopie des Verzeichnisses wieder her, oder starten Sie fieldpost-receiver rebuild.</translation>
    </message>
    <message>
        <source>Send all of it again, or make a report.</source>
        <translation>Senden Sie alles noch einmal, oder erstellen Sie einen Bericht.</translation>
    </message>
    <message>
        <source>Send it under another name.</source>
        <translation>Senden Sie sie unter einem anderen Namen.</translation>
    </message>
    <message>
        <source>Send the new version.</source>
        <translation>Senden Sie die neue Fassung.</translation>
    </message>
    <message>
        <source>Sending continues by itself.</source>
        <translation>Das Senden geht von selbst weiter.</translation>
    </message>
    <message>
        <source>Sending continues when it is back.</source>
        <translation>Das Senden geht weiter, sobald es wieder da ist.</translation>
    </message>
    <message>
        <source>Sending got stuck.</source>
        <translation>Das Senden ist stecken geblieben.</translation>
    </message>
    <message>
        <source>Sent {detail} ago, not confirmed yet.</source>
        <translation>Vor {detail} gesendet, noch nicht bestätigt.</translation>
    </message>
    <message>
        <source>Show Fieldpost where it is now, or cancel.</source>
        <translation>Zeigen Sie Fieldpost, wo sie jetzt liegt, oder brechen Sie ab.</translation>
    </message>
    <message>
        <source>Something unexpected happened.</source>
        <translation>Etwas Unerwartetes ist geschehen.</translation>
    </message>
    <message>
        <source>Split it, or call support.</source>
        <translation>Teilen Sie sie auf, oder rufen Sie den Support an.</translation>
    </message>
    <message>
        <source>Storage at {office} is full.</source>
        <translation>Der Speicher bei {office} ist voll.</translation>
    </message>
    <message>
        <source>The destination cannot be written ({detail}).</source>
        <translation>Das Ziel kann nicht beschrieben werden ({detail}).</translation>
    </message>
    <message>
        <source>The drive is not there.</source>
        <translation>Das Laufwerk ist nicht da.</translation>
    </message>
    <message>
        <source>The file changed while sending.</source>
        <translation>Die Datei hat sich während des Sendens geändert.</translation>
    </message>
    <message>
        <source>The file is open in another program.</source>
        <translation>Die Datei ist in einem anderen Programm geöffnet.</translation>
    </message>
    <message>
        <source>The file was moved or deleted.</source>
        <translation>Die Datei wurde verschoben oder gelöscht.</translation>
    </message>
    <message>
        <source>The list of files was damaged.</source>
        <translation>Die Liste der Dateien war beschädigt.</translation>
    </message>
    <message>
        <source>The password could not be stored on this computer.</source>
        <translation>Das Passwort konnte auf diesem Computer nicht gespeichert werden.</translation>
    </message>
    <message>
        <source>The receiver&apos;s ledger is damaged ({detail}).</source>
        <translation>Das Verzeichnis des Empfängers ist beschädigt ({detail}).</translation>
    </message>
    <message>
        <source>The server has no mailbox for us.</source>
        <translation>Der Server hat kein Postfach für uns.</translation>
    </message>
    <message>
        <source>The server is busy.</source>
        <translation>Der Server ist ausgelastet.</translation>
    </message>
    <message>
        <source>The server of {office} was not found.</source>
        <translation>Der Server von {office} wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>The server takes only parts that are too small to work with.</source>
        <translation>Der Server nimmt nur Teile an, die zum Arbeiten zu klein sind.</translation>
    </message>
    <message>
        <source>The server takes smaller parts only.</source>
        <translation>Der Server nimmt nur kleinere Teile an.</translation>
    </message>
    <message>
        <source>The watched folder is not there.</source>
        <translation>Der überwachte Ordner ist nicht da.</translation>
    </message>
    <message>
        <source>They are sent again by themselves.</source>
        <translation>Sie werden von selbst noch einmal gesendet.</translation>
    </message>
    <message>
        <source>This Fieldpost is too old for {office}.</source>
        <translation>Dieses Fieldpost ist zu alt, um mit {office} zu arbeiten.</translation>
    </message>
    <message>
        <source>This Wi-Fi wants you to sign in.</source>
        <translation>Dieses WLAN verlangt eine Anmeldung.</translation>
    </message>
    <message>
        <source>This account may not send here.</source>
        <translation>Dieses Konto darf hierhin nicht senden.</translation>
    </message>
    <message>
        <source>This computer&apos;s disk is full.</source>
        <translation>Die Festplatte dieses Computers ist voll.</translation>
    </message>
    <message>
        <source>This file is bigger than allowed ({detail}).</source>
        <translation>Diese Datei ist größer als erlaubt ({detail}).</translation>
    </message>
    <message>
        <source>This file is stored online only.</source>
        <translation>Diese Datei ist nur online gespeichert.</translation>
    </message>
    <message>
        <source>This file may not be read.</source>
        <translation>Diese Datei darf nicht gelesen werden.</translation>
    </message>
    <message>
        <source>This file starts again by itself.</source>
        <translation>Diese Datei beginnt von selbst noch einmal.</translation>
    </message>
    <message>
        <source>This password is too long to be stored.</source>
        <translation>Dieses Passwort ist zu lang, um gespeichert zu werden.</translation>
    </message>
    <message>
        <source>This settings file cannot be read: {detail}.</source>
        <translation>Diese Einstellungsdatei kann nicht gelesen werden: {detail}.</translation>
    </message>
    <message>
        <source>This settings file needs a newer Fieldpost.</source>
        <translation>Diese Einstellungsdatei braucht ein neueres Fieldpost.</translation>
    </message>
    <message>
        <source>Use a shorter one.</source>
        <translation>Verwenden Sie ein kürzeres.</translation>
    </message>
    <message>
        <source>User name or password not accepted.</source>
        <translation>Benutzername oder Passwort wurde nicht angenommen.</translation>
    </message>
    <message>
        <source>You are asked for it each time.</source>
        <translation>Sie werden jedes Mal danach gefragt.</translation>
    </message>
    <message>
        <source>Your antivirus blocked this file.</source>
        <translation>Ihr Virenschutz hat diese Datei blockiert.</translation>
    </message>
    <message>
        <source>Your file is safe; sending continues by itself.</source>
        <translation>Ihre Datei ist sicher; das Senden geht von selbst weiter.</translation>
    </message>
    <message>
        <source>{office} already has another file of this name.</source>
        <translation>{office} hat schon eine andere Datei mit diesem Namen.</translation>
    </message>
    <message>
        <source>{office} asked again for {detail}.</source>
        <translation>{office} hat noch einmal um {detail} gebeten.</translation>
    </message>
    <message>
        <source>{office} does not accept a file of this size.</source>
        <translation>{office} nimmt eine Datei dieser Größe nicht an.</translation>
    </message>
    <message>
        <source>{office} does not accept this name: {detail}.</source>
        <translation>{office} nimmt diesen Namen nicht an: {detail}.</translation>
    </message>
    <message>
        <source>{office} put the unfinished file away after waiting for it.</source>
        <translation>{office} hat die unfertige Datei nach langem Warten beiseitegelegt.</translation>
    </message>
    <message>
        <source>{office} received it damaged.</source>
        <translation>Bei {office} kam sie beschädigt an.</translation>
    </message>
</context>
<context>
    <name>folders</name>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n Stunde</numerusform>
            <numerusform>%n Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n Minute</numerusform>
            <numerusform>%n Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open in another program</source>
        <translation>
            <numerusform>%n in einem anderen Programm geöffnet</numerusform>
            <numerusform>%n in einem anderen Programm geöffnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n Sekunde</numerusform>
            <numerusform>%n Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting ({reason})</source>
        <translation>
            <numerusform>%n wartet ({reason})</numerusform>
            <numerusform>%n warten ({reason})</numerusform>
        </translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Alle Dateien</translation>
    </message>
    <message>
        <source>Being checked for the first time…</source>
        <translation>Wird zum ersten Mal geprüft…</translation>
    </message>
    <message>
        <source>Last checked {time}</source>
        <translation>Zuletzt geprüft: {time}</translation>
    </message>
    <message>
        <source>Not all of it can be read. Fieldpost tries again by itself.</source>
        <translation>Nicht alles darin kann gelesen werden. Fieldpost versucht es von selbst erneut.</translation>
    </message>
    <message>
        <source>Not all of it can be read: {detail}.</source>
        <translation>Nicht alles darin kann gelesen werden: {detail}.</translation>
    </message>
    <message>
        <source>Only {patterns}</source>
        <translation>Nur {patterns}</translation>
    </message>
    <message>
        <source>Switched off. New files are not noticed.</source>
        <translation>Ausgeschaltet. Neue Dateien werden nicht bemerkt.</translation>
    </message>
    <message>
        <source>The folder is not there. Fieldpost goes on looking for it.</source>
        <translation>Der Ordner ist nicht da. Fieldpost sucht weiter nach ihm.</translation>
    </message>
    <message>
        <source>at least {age} old</source>
        <translation>mindestens {age} alt</translation>
    </message>
    <message>
        <source>but not {patterns}</source>
        <translation>aber nicht {patterns}</translation>
    </message>
    <message>
        <source>delete</source>
        <translation>löschen</translation>
    </message>
    <message>
        <source>filed under “{label}”</source>
        <translation>abgelegt unter „{label}“</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>move to “{folder}”</source>
        <translation>nach „{folder}“ verschieben</translation>
    </message>
    <message>
        <source>still being written</source>
        <translation>noch in Arbeit</translation>
    </message>
    <message>
        <source>still being written, or not old enough</source>
        <translation>noch in Arbeit oder noch nicht alt genug</translation>
    </message>
    <message>
        <source>with subfolders</source>
        <translation>mit Unterordnern</translation>
    </message>
    <message>
        <source>without subfolders</source>
        <translation>ohne Unterordner</translation>
    </message>
    <message>
        <source>{taken}; after confirmation: {after}</source>
        <translation>{taken}; nach der Bestätigung: {after}</translation>
    </message>
</context>
<context>
    <name>names</name>
    <message>
        <source>it begins like a drive, with one letter and a colon</source>
        <translation>er beginnt wie ein Laufwerk, mit einem Buchstaben und einem Doppelpunkt</translation>
    </message>
    <message>
        <source>it begins with a slash</source>
        <translation>er beginnt mit einem Schrägstrich</translation>
    </message>
    <message>
        <source>it cannot be used as a file name</source>
        <translation>er taugt nicht als Dateiname</translation>
    </message>
    <message>
        <source>it contains a backslash</source>
        <translation>er enthält einen umgekehrten Schrägstrich</translation>
    </message>
    <message>
        <source>it contains an invisible control character, such as a line break</source>
        <translation>er enthält ein unsichtbares Steuerzeichen, etwa einen Zeilenumbruch</translation>
    </message>
    <message>
        <source>it contains characters that cannot be read</source>
        <translation>er enthält unlesbare Zeichen</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>er ist leer</translation>
    </message>
    <message>
        <source>it is too long, or one of its folders is</source>
        <translation>er ist zu lang, oder einer seiner Ordner ist es</translation>
    </message>
    <message>
        <source>it is too long, together with its folders</source>
        <translation>er ist zusammen mit seinen Ordnern zu lang</translation>
    </message>
    <message>
        <source>its accents are not written the usual way</source>
        <translation>seine Akzente sind nicht auf die übliche Weise geschrieben</translation>
    </message>
    <message>
        <source>one of its folders has no name</source>
        <translation>einer seiner Ordner hat keinen Namen</translation>
    </message>
    <message>
        <source>one of its folders is called . or ..</source>
        <translation>einer seiner Ordner heißt . oder ..</translation>
    </message>
</context>
<context>
    <name>parts_bar</name>
    <message>
        <source>asked for again</source>
        <translation>erneut angefordert</translation>
    </message>
    <message>
        <source>at the server</source>
        <translation>beim Server</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>not sent yet</source>
        <translation>noch nicht gesendet</translation>
    </message>
    <message>
        <source>on its way</source>
        <translation>unterwegs</translation>
    </message>
</context>
<context>
    <name>phrases</name>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln Byte</numerusform>
            <numerusform>%Ln Byte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln Tag</numerusform>
            <numerusform>%Ln Tage</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s)</source>
        <translation>
            <numerusform>%Ln Teil</numerusform>
            <numerusform>%Ln Teile</numerusform>
        </translation>
    </message>
    <message>
        <source>about {time}</source>
        <translation>etwa {time}</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>date format</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>date format</comment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>less than a minute</source>
        <translation>weniger als eine Minute</translation>
    </message>
    <message>
        <source>{date} {time}</source>
        <translation>{date} {time}</translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln part(s)</source>
        <translation>
            <numerusform>{done} von %Ln Teil</numerusform>
            <numerusform>{done} von %Ln Teilen</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} h</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} min</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
    <message>
        <source>{n}nd try</source>
        <translation>{n}. Versuch</translation>
    </message>
    <message>
        <source>{n}rd try</source>
        <translation>{n}. Versuch</translation>
    </message>
    <message>
        <source>{n}st try</source>
        <translation>{n}. Versuch</translation>
    </message>
    <message>
        <source>{n}th try</source>
        <translation>{n}. Versuch</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/s</translation>
    </message>
</context>
<context>
    <name>proof</name>
    <message>
        <source>Confirmed {time} by {receiver}</source>
        <translation>{time} von {receiver} bestätigt</translation>
    </message>
    <message>
        <source>SHA-256 {hash}</source>
        <translation>SHA-256 {hash}</translation>
    </message>
    <message>
        <source>{receiver} had exactly this file already.</source>
        <translation>{receiver} hatte genau diese Datei schon.</translation>
    </message>
    <message>
        <source>{receiver} stored it under another name, since this one was taken.</source>
        <translation>{receiver} hat sie unter einem anderen Namen gespeichert, weil es diesen schon gab.</translation>
    </message>
</context>
<context>
    <name>steps</name>
    <message>
        <source>Find the server</source>
        <translation>Server finden</translation>
    </message>
    <message>
        <source>May send</source>
        <translation>Darf senden</translation>
    </message>
    <message>
        <source>Reach the server</source>
        <translation>Server erreichen</translation>
    </message>
    <message>
        <source>Read the size limit</source>
        <translation>Größengrenze lesen</translation>
    </message>
    <message>
        <source>Secure connection</source>
        <translation>Sichere Verbindung</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>{office} was heard</source>
        <translation>Lebenszeichen von {office}</translation>
    </message>
</context>
<context>
    <name>summary</name>
    <message>
        <source>Confirmed by</source>
        <translation>Bestätigt von</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Office</source>
        <translation>Büro</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Set by your organisation</source>
        <translation>Von Ihrer Organisation festgelegt</translation>
    </message>
    <message>
        <source>This computer sends as</source>
        <translation>Dieser Computer sendet als</translation>
    </message>
    <message>
        <source>User name</source>
        <translation>Benutzername</translation>
    </message>
    <message>
        <source>connections that cost money</source>
        <translation>Verbindungen, die Geld kosten</translation>
    </message>
    <message>
        <source>encrypted, with user name and password</source>
        <translation>verschlüsselt, mit Benutzername und Passwort</translation>
    </message>
    <message>
        <source>encrypted, with your sign-in to this computer</source>
        <translation>verschlüsselt, mit Ihrer Anmeldung an diesem Computer</translation>
    </message>
    <message>
        <source>encrypted, without user name and password</source>
        <translation>verschlüsselt, ohne Benutzername und Passwort</translation>
    </message>
    <message>
        <source>files up to {size}</source>
        <translation>Dateien bis {size}</translation>
    </message>
    <message>
        <source>keeping this computer awake</source>
        <translation>diesen Computer wach halten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>not encrypted, with user name and password</source>
        <translation>nicht verschlüsselt, mit Benutzername und Passwort</translation>
    </message>
    <message>
        <source>not encrypted, with your sign-in to this computer</source>
        <translation>nicht verschlüsselt, mit Ihrer Anmeldung an diesem Computer</translation>
    </message>
    <message>
        <source>not encrypted, without user name and password</source>
        <translation>nicht verschlüsselt, ohne Benutzername und Passwort</translation>
    </message>
    <message>
        <source>sending hours</source>
        <translation>Sendezeiten</translation>
    </message>
    <message>
        <source>speed limit</source>
        <translation>Tempogrenze</translation>
    </message>
    <message>
        <source>watched files may be deleted after their confirmation</source>
        <translation>überwachte Dateien dürfen nach ihrer Bestätigung gelöscht werden</translation>
    </message>
    <message>
        <source>{title}:</source>
        <translation>{title}:</translation>
    </message>
</context>
<context>
    <name>taskbar</name>
    <message>
        <source>Fieldpost</source>
        <translation>Fieldpost</translation>
    </message>
    <message>
        <source>{what} · Fieldpost</source>
        <translation>{what} · Fieldpost</translation>
    </message>
</context>
<context>
    <name>timeline</name>
    <message>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>All sent</source>
        <translation>Alles gesendet</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Confirmed by {receiver}</source>
        <translation>Bestätigt von {receiver}</translation>
    </message>
    <message>
        <source>Sending started</source>
        <translation>Senden begonnen</translation>
    </message>
</context>
<context>
    <name>transfers</name>
    <message>
        <source>Ctrl+Enter: {action}</source>
        <translation>Strg+Enter: {action}</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>Abgelegt</translation>
    </message>
    <message>
        <source>Watched folder</source>
        <translation>Überwachter Ordner</translation>
    </message>
    <message>
        <source>{action} (Ctrl+Enter)</source>
        <translation>{action} (Strg+Enter)</translation>
    </message>
    <message>
        <source>{file}. {sentence} {size}, {origin}, added {added}.</source>
        <translation>{file}. {sentence} {size}, {origin}, hinzugefügt {added}.</translation>
    </message>
    <message>
        <source>{n} %</source>
        <translation>{n} %</translation>
    </message>
</context>
<context>
    <name>wording</name>
    <message numerus="yes">
        <source>%Ln file(s) need you</source>
        <translation>
            <numerusform>Bei %Ln Datei sind Sie gefragt</numerusform>
            <numerusform>Bei %Ln Dateien sind Sie gefragt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) sent, waiting for confirmation</source>
        <translation>
            <numerusform>%Ln Datei gesendet, wartet auf Bestätigung</numerusform>
            <numerusform>%Ln Dateien gesendet, warten auf Bestätigung</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) still being written</source>
        <translation>
            <numerusform>%Ln Datei noch in Arbeit</numerusform>
            <numerusform>%Ln Dateien noch in Arbeit</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) to send</source>
        <translation>
            <numerusform>%Ln Datei zu senden</numerusform>
            <numerusform>%Ln Dateien zu senden</numerusform>
        </translation>
    </message>
    <message>
        <source>A setting is wrong.</source>
        <translation>Eine Einstellung ist falsch.</translation>
    </message>
    <message>
        <source>All files confirmed by {office}</source>
        <translation>Alle Dateien von {office} bestätigt</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Choose settings file…</source>
        <translation>Einstellungsdatei wählen…</translation>
    </message>
    <message>
        <source>Confirmed</source>
        <translation>Bestätigt</translation>
    </message>
    <message>
        <source>Confirmed {time} by {office}</source>
        <translation>{time} von {office} bestätigt</translation>
    </message>
    <message>
        <source>Confirmed {time} by {office}, which had it already</source>
        <translation>{time} von {office} bestätigt, war dort schon vorhanden</translation>
    </message>
    <message>
        <source>Connect the drive again.</source>
        <translation>Schließen Sie das Laufwerk wieder an.</translation>
    </message>
    <message>
        <source>Connecting to {office}…</source>
        <translation>Verbindung zu {office} wird hergestellt…</translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>Passwort eingeben…</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Fieldpost has begun a new list.</source>
        <translation>Fieldpost hat eine neue Liste begonnen.</translation>
    </message>
    <message>
        <source>Fieldpost keeps asking {office}.</source>
        <translation>Fieldpost fragt bei {office} weiter nach.</translation>
    </message>
    <message>
        <source>Fieldpost keeps its own data in {path}. Choose another folder.</source>
        <translation>In {path} bewahrt Fieldpost seine eigenen Daten auf. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Fieldpost sends it again by itself.</source>
        <translation>Fieldpost sendet sie von selbst noch einmal.</translation>
    </message>
    <message>
        <source>Fieldpost sends the new version as soon as it stays the same for a while.</source>
        <translation>Fieldpost sendet die neue Fassung, sobald sie eine Weile gleich bleibt.</translation>
    </message>
    <message>
        <source>Fieldpost tries again by itself every few minutes.</source>
        <translation>Fieldpost versucht es alle paar Minuten von selbst erneut.</translation>
    </message>
    <message>
        <source>Fieldpost tries again by itself.</source>
        <translation>Fieldpost versucht es von selbst erneut.</translation>
    </message>
    <message>
        <source>Files are sent at the set hours only.</source>
        <translation>Dateien werden nur zu den festgelegten Zeiten gesendet.</translation>
    </message>
    <message>
        <source>Files wait for another connection. To send one all the same, choose Send anyway in its menu.</source>
        <translation>Dateien warten auf eine andere Verbindung. Um eine doch zu senden, wählen Sie „Trotzdem senden“ in ihrem Menü.</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Heard a moment ago</source>
        <translation>Gerade eben gemeldet</translation>
    </message>
    <message>
        <source>It answers</source>
        <translation>Er antwortet</translation>
    </message>
    <message>
        <source>Make a report…</source>
        <translation>Bericht erstellen…</translation>
    </message>
    <message>
        <source>Move it yourself if it is in the way.</source>
        <translation>Verschieben Sie sie selbst, wenn sie im Weg ist.</translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation>Sie sind gefragt</translation>
    </message>
    <message>
        <source>Needs you: {what} ({label})</source>
        <translation>Sie sind gefragt: {what} ({label})</translation>
    </message>
    <message>
        <source>No answer from {office} for a long time.</source>
        <translation>Seit langer Zeit keine Antwort von {office}.</translation>
    </message>
    <message>
        <source>Nobody can read along</source>
        <translation>Niemand kann mitlesen</translation>
    </message>
    <message>
        <source>Not needed here</source>
        <translation>Hier nicht nötig</translation>
    </message>
    <message>
        <source>Not sent: it was there before the folder was watched</source>
        <translation>Nicht gesendet: sie war schon vor dem Überwachen im Ordner</translation>
    </message>
    <message>
        <source>Not tried</source>
        <translation>Nicht versucht</translation>
    </message>
    <message>
        <source>Nothing is sent until this is solved. Your files stay in the list.</source>
        <translation>Bis das gelöst ist, wird nichts gesendet. Ihre Dateien bleiben in der Liste.</translation>
    </message>
    <message>
        <source>Nothing is sent until you resume.</source>
        <translation>Bis Sie fortsetzen, wird nichts gesendet.</translation>
    </message>
    <message>
        <source>Nothing to send</source>
        <translation>Nichts zu senden</translation>
    </message>
    <message>
        <source>Open browser</source>
        <translation>Browser öffnen</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>Parts of up to {size}</source>
        <translation>Teile bis {size}</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Paused at {parts}</source>
        <translation>Pausiert bei {parts}</translation>
    </message>
    <message>
        <source>Paused until {time}</source>
        <translation>Pausiert bis {time}</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Wird pausiert…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Send it again, or make a report for support.</source>
        <translation>Senden Sie sie noch einmal, oder erstellen Sie einen Bericht für den Support.</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>Jetzt senden</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Wird gesendet</translation>
    </message>
    <message>
        <source>Sending goes on by itself then.</source>
        <translation>Dann geht das Senden von selbst weiter.</translation>
    </message>
    <message>
        <source>Sending {parts}</source>
        <translation>Wird gesendet: {parts}</translation>
    </message>
    <message>
        <source>Sent a while ago, not confirmed yet.</source>
        <translation>Vor einer Weile gesendet, noch nicht bestätigt.</translation>
    </message>
    <message>
        <source>Sent, waiting for confirmation</source>
        <translation>Gesendet, wartet auf Bestätigung</translation>
    </message>
    <message>
        <source>Signed in as {name}</source>
        <translation>Angemeldet als {name}</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <source>Still being written</source>
        <translation>Noch in Arbeit</translation>
    </message>
    <message>
        <source>The office</source>
        <comment>at the beginning of a sentence</comment>
        <translation>Ihr Büro</translation>
    </message>
    <message>
        <source>There is nothing you need to do.</source>
        <translation>Sie müssen nichts tun.</translation>
    </message>
    <message>
        <source>This account may send</source>
        <translation>Dieses Konto darf senden</translation>
    </message>
    <message>
        <source>This computer was asleep; sending goes on in a moment</source>
        <translation>Dieser Computer hat geschlafen; gleich geht das Senden weiter</translation>
    </message>
    <message>
        <source>This file is bigger than allowed.</source>
        <translation>Diese Datei ist größer als erlaubt.</translation>
    </message>
    <message>
        <source>This settings file cannot be read.</source>
        <translation>Diese Einstellungsdatei kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>This waits for you; everything else goes on.</source>
        <translation>Das wartet auf Sie; alles andere geht weiter.</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Trying again</source>
        <translation>Wird wiederholt</translation>
    </message>
    <message>
        <source>Trying again in {time}</source>
        <translation>Wird in {time} wiederholt</translation>
    </message>
    <message>
        <source>Trying again in {time} ({nth})</source>
        <translation>Wird in {time} wiederholt ({nth})</translation>
    </message>
    <message>
        <source>Trying again now</source>
        <translation>Wird jetzt wiederholt</translation>
    </message>
    <message>
        <source>Trying again now ({nth})</source>
        <translation>Wird jetzt wiederholt ({nth})</translation>
    </message>
    <message>
        <source>Waiting its turn</source>
        <translation>Wartet, bis sie an der Reihe ist</translation>
    </message>
    <message>
        <source>Waits for the set sending hours</source>
        <translation>Wartet auf die festgelegten Sendezeiten</translation>
    </message>
    <message>
        <source>Waits until {time}</source>
        <translation>Wartet bis {time}</translation>
    </message>
    <message>
        <source>Waits: this connection costs money (metered)</source>
        <translation>Wartet: diese Verbindung kostet Geld (getaktet)</translation>
    </message>
    <message>
        <source>limit {size}</source>
        <translation>Grenze: {size}</translation>
    </message>
    <message>
        <source>the office</source>
        <translation>Ihrem Büro</translation>
    </message>
    <message>
        <source>{confirmed}, but it could not be moved ({label})</source>
        <translation>{confirmed}, konnte aber nicht verschoben werden ({label})</translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln file(s)</source>
        <translation>
            <numerusform>{done} von %Ln Datei</numerusform>
            <numerusform>{done} von %Ln Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>{file}: {what}</source>
        <translation>{file}: {what}</translation>
    </message>
    <message>
        <source>{office} asked for some parts again.</source>
        <translation>{office} hat noch einmal um einige Teile gebeten.</translation>
    </message>
    <message>
        <source>{office} cannot store files at present.</source>
        <translation>{office} kann zurzeit keine Dateien speichern.</translation>
    </message>
    <message>
        <source>{office} could not make sense of what was sent.</source>
        <translation>{office} konnte mit dem Gesendeten nichts anfangen.</translation>
    </message>
    <message>
        <source>{office} has not been heard for some minutes</source>
        <translation>Von {office} war seit einigen Minuten nichts zu hören</translation>
    </message>
    <message>
        <source>{office} has the file; on this computer it stays where it is.</source>
        <translation>Bei {office} ist die Datei angekommen; auf diesem Computer bleibt sie, wo sie ist.</translation>
    </message>
    <message>
        <source>{office} was not heard lately. Files can be sent and are confirmed later. ({label})</source>
        <translation>Von {office} war zuletzt nichts zu hören. Dateien können gesendet werden und werden später bestätigt. ({label})</translation>
    </message>
    <message>
        <source>{parts} (round {round} of {most})</source>
        <translation>{parts} (Runde {round} von {most})</translation>
    </message>
    <message>
        <source>{path} cannot be read.</source>
        <translation>{path} kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>{path} holds your home folder. Choose a smaller one.</source>
        <translation>{path} enthält Ihren Benutzerordner. Wählen Sie einen kleineren.</translation>
    </message>
    <message>
        <source>{path} holds {other}, which is watched already.</source>
        <translation>{path} enthält {other}, und das wird schon überwacht.</translation>
    </message>
    <message>
        <source>{path} is a whole drive. Choose a folder on it.</source>
        <translation>{path} ist ein ganzes Laufwerk. Wählen Sie einen Ordner darauf.</translation>
    </message>
    <message>
        <source>{path} is not a folder.</source>
        <translation>{path} ist kein Ordner.</translation>
    </message>
    <message>
        <source>{path} is watched already.</source>
        <translation>{path} wird schon überwacht.</translation>
    </message>
    <message>
        <source>{path} is your home folder. Choose a folder in it.</source>
        <translation>{path} ist Ihr Benutzerordner. Wählen Sie einen Ordner darin.</translation>
    </message>
    <message>
        <source>{path} lies in {other}, which is watched already.</source>
        <translation>{path} liegt in {other}, und das wird schon überwacht.</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>{time} übrig</translation>
    </message>
    <message>
        <source>{what} ({label})</source>
        <translation>{what} ({label})</translation>
    </message>
</context>
</TS>
