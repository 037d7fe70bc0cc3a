; SPDX-FileCopyrightText: 2026 The Fieldpost authors
; SPDX-License-Identifier: Apache-2.0
; Fieldpost-<version>-setup.exe: for one user, without an administrator. build.sh compiles it and says where things are:
; PROGRAM (the frozen folder), OUT, VERSION, VERSION4 (a.b.c.d), SIZE_KB, ICON, PICTURE, SIGN (a command).
;   /S              no window, no question    /PROFILE=file   settings of the organisation, for the app's first start
;   /D=folder       another place (last)      uninstall.exe /S [/DELETEDATA]
; It ends with 0, 1 (cancelled), 2 (failed; the earlier program is put back) or 3 (Fieldpost runs and does not end).

Target amd64-unicode ; the 32-bit kind does not start where there is only a 64-bit Windows, as in Wine
!ifndef QUICK ; for trying out this script: seconds instead of a minute, and a bigger installer
  SetCompressor /SOLID lzma
!endif
SetDateSave off ; the same files make the same installer, whenever they were copied
ManifestDPIAware true
RequestExecutionLevel user
AllowSkipFiles off ; half a program is none: rather the earlier one

!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh

!define PUBLISHER "The Fieldpost authors"
!define RUN_KEY "Software\Microsoft\Windows\CurrentVersion\Run"
!define RUN_SWITCHES "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" ; the Task Manager's
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Fieldpost"
!define ENDING_KEY "Software\Classes\.fieldpost"
!define FILE_TYPE "Fieldpost.Settings"
!define FILE_TYPE_KEY "Software\Classes\${FILE_TYPE}"
!define APP_ID "Fieldpost.Fieldpost" ; as in ui/app.py
!define PROGRAM_EXE "$INSTDIR\fieldpost.exe"
!define CONSOLE_EXE "$INSTDIR\fieldpost-console.exe"
!define DATA "$LOCALAPPDATA\Fieldpost" ; as in engine/paths.py
!define PREVIOUS "$INSTDIR\previous" ; what was there before, until the new program is complete
!define STILL_RUNS 3

Name "Fieldpost"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Fieldpost"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation" ; an upgrade goes where the program is
BrandingText "Fieldpost ${VERSION}"
SpaceTexts none ; a removal needs none
!uninstfinalize '${SIGN} "%1"' = 0

VIProductVersion "${VERSION4}"
VIFileVersion "${VERSION4}"
VIAddVersionKey /LANG=1033 "ProductName" "Fieldpost"
VIAddVersionKey /LANG=1033 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "FileDescription" "Fieldpost Setup"
VIAddVersionKey /LANG=1033 "CompanyName" "${PUBLISHER}"
VIAddVersionKey /LANG=1033 "LegalCopyright" "${PUBLISHER}, Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURE}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "${PROGRAM_EXE}"
!define MUI_WELCOMEPAGE_TEXT "$(WELCOME)"
!define MUI_COMPONENTSPAGE_NODESC
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!define MUI_PAGE_HEADER_SUBTEXT "$(WHAT_GOES)"
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
!include words.nsh

Var settings
Var in_use
Var was_running

!include options.nsh
!include running.nsh
!include shortcuts.nsh

Function .onInit
  Call ReadSettingsOption
  ${If} $settings != ""
  ${AndIfNot} ${FileExists} "$settings"
    MessageBox MB_ICONSTOP|MB_OK "$(NO_PROFILE)" /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
FunctionEnd

Section
  Call EndRunning
  Call SetAside
  SetOutPath "$INSTDIR"
  File /r "${PROGRAM}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ${If} $settings != ""
    ClearErrors
    CopyFiles /SILENT "$settings" "$INSTDIR\organisation.fieldpost" ; where the app's first page finds it
    ${If} ${Errors}
      Abort "$(NO_PROFILE)"
    ${EndIf}
  ${EndIf}
  Call WriteRegistry
  Call MakeShortcuts
  SetOutPath "$TEMP" ; else our own folder could not be renamed
  RMDir /r "${PREVIOUS}"
  Call StartAgain
SectionEnd

Function .onInstFailed
  Call PutBack
  Call StartAgain
FunctionEnd

Function SetAside
  ${If} ${FileExists} "${PROGRAM_EXE}"
    RMDir /r "${PREVIOUS}" ; of an installation that was cut off after it was complete
    CreateDirectory "${PREVIOUS}"
    ClearErrors
    !insertmacro Move "$INSTDIR" "${PREVIOUS}"
    ${If} ${Errors} ; somebody has a file of it open
      Call PutBack
      Abort "$(STILL_RUNNING)"
    ${EndIf}
  ${EndIf}
FunctionEnd

Function PutBack
  ${If} ${FileExists} "${PREVIOUS}\*.*"
    SetOutPath "$TEMP"
    !insertmacro Restore "_internal" "\*.*"
    !insertmacro Restore "licences" "\*.*"
    !insertmacro Restore "fieldpost.exe" ""
    !insertmacro Restore "fieldpost-console.exe" ""
    RMDir "${PREVIOUS}"
  ${EndIf}
FunctionEnd

Function WriteRegistry
  ReadRegStr $0 HKCU "${UNINSTALL_KEY}" "DisplayVersion"
  ReadRegStr $1 HKCU "${RUN_KEY}" "Fieldpost"
  ${If} $0 == ""
  ${OrIf} $1 != "" ; who turned it off in the app wants it off after an upgrade too
    WriteRegStr HKCU "${RUN_KEY}" "Fieldpost" '"${PROGRAM_EXE}" --hidden'
  ${EndIf}
  WriteRegStr HKCU "${ENDING_KEY}" "" "${FILE_TYPE}"
  WriteRegStr HKCU "${FILE_TYPE_KEY}" "" "$(FILE_TYPE_NAME)"
  WriteRegStr HKCU "${FILE_TYPE_KEY}\DefaultIcon" "" '"${PROGRAM_EXE}",0'
  WriteRegStr HKCU "${FILE_TYPE_KEY}\shell\open\command" "" '"${PROGRAM_EXE}" open "%1"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "Fieldpost"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "${PROGRAM_EXE}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${SIZE_KB}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  !insertmacro TellExplorer
FunctionEnd

Section "un.$(PROGRAM_PART)"
  SectionIn RO
  Call un.EndRunning
  Delete "${START_MENU_ENTRY}"
  Delete "${SEND_TO_ENTRY}"
  DeleteRegValue HKCU "${RUN_KEY}" "Fieldpost"
  DeleteRegValue HKCU "${RUN_SWITCHES}" "Fieldpost"
  ReadRegStr $0 HKCU "${ENDING_KEY}" ""
  ${If} $0 == "${FILE_TYPE}" ; another program may have taken it
    DeleteRegKey HKCU "${ENDING_KEY}"
  ${EndIf}
  DeleteRegKey HKCU "${FILE_TYPE_KEY}"
  !insertmacro TellExplorer
  ; Only what is ours by name: somebody may have put a thing of their own beside it.
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licences"
  RMDir /r "${PREVIOUS}"
  Delete "${PROGRAM_EXE}"
  Delete "${CONSOLE_EXE}"
  Delete "$INSTDIR\organisation.fieldpost"
  Delete "$INSTDIR\uninstall.exe"
  SetOutPath "$TEMP"
  RMDir "$INSTDIR"
  RMDir "$LOCALAPPDATA\Programs" ; goes only if it is empty
  DeleteRegKey HKCU "${UNINSTALL_KEY}" ; last: until here one can try again
SectionEnd

Section /o "un.$(DATA_PART)" data_part
  RMDir /r "${DATA}"
SectionEnd

Function un.onInit
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DELETEDATA" $1
  ${IfNot} ${Errors}
    SectionSetFlags ${data_part} 1
  ${EndIf}
FunctionEnd
