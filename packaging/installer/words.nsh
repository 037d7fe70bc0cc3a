; SPDX-FileCopyrightText: 2026 The Fieldpost authors
; SPDX-License-Identifier: Apache-2.0
; What the installer says, in the languages of the app. Windows' own language decides; the first is for all others.

!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString WELCOME ${LANG_ENGLISH} "Fieldpost sends files to your office, also over a bad connection, and tells you for certain that they arrived.$\r$\n$\r$\nIt is installed for you alone; no administrator is needed. A Fieldpost that is running is ended first and started again afterwards. Files that wait to be sent are kept."
LangString WELCOME ${LANG_GERMAN} "Fieldpost schickt Dateien an Ihr Büro, auch über eine schlechte Verbindung, und sagt Ihnen sicher, dass sie angekommen sind.$\r$\n$\r$\nEs wird nur für Sie installiert; ein Administrator ist nicht nötig. Ein laufendes Fieldpost wird vorher beendet und danach wieder gestartet. Wartende Dateien bleiben erhalten."
LangString NO_PROFILE ${LANG_ENGLISH} "The settings file cannot be read: $settings"
LangString NO_PROFILE ${LANG_GERMAN} "Die Einstellungsdatei ist nicht lesbar: $settings"
LangString STILL_RUNNING ${LANG_ENGLISH} "Fieldpost is still running and has not ended. Please quit it from its menu beside the clock, or end the command line that runs it, and try again."
LangString STILL_RUNNING ${LANG_GERMAN} "Fieldpost läuft noch und hat sich nicht beendet. Bitte beenden Sie es über sein Menü neben der Uhr, oder beenden Sie die Befehlszeile, in der es läuft, und versuchen Sie es noch einmal."
LangString FILE_TYPE_NAME ${LANG_ENGLISH} "Fieldpost settings"
LangString FILE_TYPE_NAME ${LANG_GERMAN} "Fieldpost-Einstellungen"
LangString SHORTCUT_WORDS ${LANG_ENGLISH} "Send files to the office"
LangString SHORTCUT_WORDS ${LANG_GERMAN} "Dateien an das Büro schicken"
LangString WHAT_GOES ${LANG_ENGLISH} "Choose whether files that are not sent yet are forgotten too."
LangString WHAT_GOES ${LANG_GERMAN} "Wählen Sie, ob auch noch nicht gesendete Dateien vergessen werden."
LangString PROGRAM_PART ${LANG_ENGLISH} "Fieldpost"
LangString PROGRAM_PART ${LANG_GERMAN} "Fieldpost"
LangString DATA_PART ${LANG_ENGLISH} "Queue, history and settings"
LangString DATA_PART ${LANG_GERMAN} "Warteschlange, Verlauf und Einstellungen"
