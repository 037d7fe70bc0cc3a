<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>codes</name>
    <message>
        <source>A message cannot be decompressed ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message contradicts an earlier one of its transfer ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has a header twice ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has a part that is too big ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has a wrong client name ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has a wrong number ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has a wrong transfer id ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has an unknown encoding ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has an unreadable SHA-256 ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has an unreadable version ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has text that cannot be read ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message has too many headers ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message is not as long as it says ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message is of an unknown kind ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message lacks a header ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message&apos;s bytes do not match their SHA-256 ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A pack has an unreadable index ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A setting is wrong: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A status message cannot be read ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Already at {office}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask support for a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask whoever looks after this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask whoever owns it to let you read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring it back, or choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call support.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call support. Keep the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check this computer&apos;s date and time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it there; sending then starts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confirmations cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confirmed, but the file could not be moved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct it, then start again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the password again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fieldpost connects again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fieldpost is not set up yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fieldpost tries again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fieldpost tries again; else move it yourself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders are checked anew. Add dropped files again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import the settings file you were given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is fetched first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is sent again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the quarantine entry and tell the developers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ledger, checkpoint and topic do not belong together ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a report for support.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make some room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mend the disk, its mount or its permissions; then start the receiver again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer from {office} for {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No connection to {office}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No secure connection to {office}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On guest Wi-Fi sign in first, else call support.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open your browser.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts are still missing after 5 tries.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Please update.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore its copy, or run fieldpost-receiver rebuild.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the ledger&apos;s copy, or run fieldpost-receiver rebuild.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send all of it again, or make a report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send it under another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the new version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sending continues by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sending continues when it is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sending got stuck.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent {detail} ago, not confirmed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show Fieldpost where it is now, or cancel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something unexpected happened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split it, or call support.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storage at {office} is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The destination cannot be written ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The drive is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file changed while sending.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is open in another program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file was moved or deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list of files was damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The password could not be stored on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The receiver&apos;s ledger is damaged ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server has no mailbox for us.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is busy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server of {office} was not found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server takes only parts that are too small to work with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server takes smaller parts only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The watched folder is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are sent again by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This Fieldpost is too old for {office}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This Wi-Fi wants you to sign in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This account may not send here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer&apos;s disk is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is bigger than allowed ({detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is stored online only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file may not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file starts again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This password is too long to be stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This settings file cannot be read: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This settings file needs a newer Fieldpost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a shorter one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>User name or password not accepted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are asked for it each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your antivirus blocked this file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your file is safe; sending continues by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{office} already has another file of this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{office} asked for {detail} again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{office} does not accept a file of this size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{office} does not accept this name: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{office} put the unfinished file away after waiting for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{office} received it damaged.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>folders</name>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open in another program</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting ({reason})</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>All files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Being checked for the first time…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last checked {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not all of it can be read. Fieldpost tries again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not all of it can be read: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only {patterns}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switched off. New files are not noticed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder is not there. Fieldpost goes on looking for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least {age} old</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>but not {patterns}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filed under “{label}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move to “{folder}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still being written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still being written, or not old enough</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with subfolders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without subfolders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{taken}; after confirmation: {after}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>names</name>
    <message>
        <source>it begins like a drive, with one letter and a colon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it begins with a slash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be used as a file name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains a backslash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains an invisible control character, such as a line break</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains characters that cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is too long, or one of its folders is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is too long, together with its folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its accents are not written the usual way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of its folders has no name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of its folders is called . or ..</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>steps</name>
    <message>
        <source>Find the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reach the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the size limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Secure connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{office} was heard</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
