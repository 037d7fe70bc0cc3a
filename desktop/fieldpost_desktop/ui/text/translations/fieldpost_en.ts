<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ActionRunner</name>
    <message numerus="yes">
        <source>Stop sending %Ln file(s)?</source>
        <translation>
            <numerusform>Stop sending %Ln file?</numerusform>
            <numerusform>Stop sending %Ln files?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message numerus="yes">
        <source>%Ln file(s) are not sent yet.</source>
        <translation>
            <numerusform>%Ln file is not sent yet.</numerusform>
            <numerusform>%Ln files are not sent yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message numerus="yes">
        <source>Drop to send: %n item(s)</source>
        <translation>
            <numerusform>Drop to send: %n item</numerusform>
            <numerusform>Drop to send: %n items</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExistingFiles</name>
    <message numerus="yes">
        <source>This folder already holds %Ln file(s) ({size}). Send them too?</source>
        <translation>
            <numerusform>This folder already holds %Ln file ({size}). Send it too?</numerusform>
            <numerusform>This folder already holds %Ln files ({size}). Send them too?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SendQuestion</name>
    <message numerus="yes">
        <source>%n more file(s) cannot be sent; the list will say why.</source>
        <translation>
            <numerusform>%n more file cannot be sent; the list will say why.</numerusform>
            <numerusform>%n more files cannot be sent; the list will say why.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TransfersPage</name>
    <message numerus="yes">
        <source>%Ln path(s) copied.</source>
        <translation>
            <numerusform>%Ln path copied.</numerusform>
            <numerusform>%Ln paths copied.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>announcer</name>
    <message numerus="yes">
        <source>%Ln file(s) confirmed</source>
        <translation>
            <numerusform>%Ln file confirmed</numerusform>
            <numerusform>%Ln files confirmed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) need you</source>
        <translation>
            <numerusform>%Ln file needs you</numerusform>
            <numerusform>%Ln files need you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) not delivered for 24 hours</source>
        <translation>
            <numerusform>%Ln file not delivered for 24 hours</numerusform>
            <numerusform>%Ln files not delivered for 24 hours</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>folders</name>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n hour</numerusform>
            <numerusform>%n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open in another program</source>
        <translation>
            <numerusform>%n open in another program</numerusform>
            <numerusform>%n open in another program</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n second</numerusform>
            <numerusform>%n seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting ({reason})</source>
        <translation>
            <numerusform>%n waiting ({reason})</numerusform>
            <numerusform>%n waiting ({reason})</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>phrases</name>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln byte</numerusform>
            <numerusform>%Ln bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln day</numerusform>
            <numerusform>%Ln days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s)</source>
        <translation>
            <numerusform>%Ln part</numerusform>
            <numerusform>%Ln parts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln part(s)</source>
        <translation>
            <numerusform>{done} of %Ln part</numerusform>
            <numerusform>{done} of %Ln parts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wording</name>
    <message numerus="yes">
        <source>%Ln file(s) need you</source>
        <translation>
            <numerusform>%Ln file needs you</numerusform>
            <numerusform>%Ln files need you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) sent, waiting for confirmation</source>
        <translation>
            <numerusform>%Ln file sent, waiting for confirmation</numerusform>
            <numerusform>%Ln files sent, waiting for confirmation</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) still being written</source>
        <translation>
            <numerusform>%Ln file still being written</numerusform>
            <numerusform>%Ln files still being written</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) to send</source>
        <translation>
            <numerusform>%Ln file to send</numerusform>
            <numerusform>%Ln files to send</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln file(s)</source>
        <translation>
            <numerusform>{done} of %Ln file</numerusform>
            <numerusform>{done} of %Ln files</numerusform>
        </translation>
    </message>
</context>
</TS>
