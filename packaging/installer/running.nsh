; SPDX-FileCopyrightText: 2026 The Fieldpost authors
; SPDX-License-Identifier: Apache-2.0
; A program that runs cannot be replaced: how that is seen, and how the program is asked to end. For both directions.

!macro LookAt program ; Windows lets nobody write into a program that runs
  ${If} ${FileExists} "${program}"
    ClearErrors
    FileOpen $0 "${program}" a
    ${If} ${Errors}
      StrCpy $in_use 1
    ${Else}
      FileClose $0
    ${EndIf}
  ${EndIf}
!macroend

!macro RunningFunctions un
  Function ${un}Look
    StrCpy $in_use 0
    !insertmacro LookAt "${PROGRAM_EXE}"
    !insertmacro LookAt "${CONSOLE_EXE}"
  FunctionEnd

  Function ${un}EndRunning
    StrCpy $in_use 0
    !insertmacro LookAt "${PROGRAM_EXE}"
    StrCpy $was_running $in_use ; the app, which then is started again
    Call ${un}Look
    ${DoWhile} $in_use = 1
      Call ${un}AskToEnd
      ${If} $in_use = 1
        Call ${un}GiveUp
      ${EndIf}
    ${Loop}
  FunctionEnd

  Function ${un}AskToEnd ; again and again: one that was just started does not hear yet
    ${For} $2 1 10
      nsExec::Exec /TIMEOUT=60000 '"${CONSOLE_EXE}" quit' ; without a question; the queue is on disk
      Pop $0
      ${For} $1 1 20 ; its process ends a moment after it has let go of its data
        Call ${un}Look
        ${If} $in_use = 0
          Return
        ${EndIf}
        Sleep 100
      ${Next}
    ${Next}
  FunctionEnd

  Function ${un}GiveUp ; unless somebody ends it by hand and wants to try again
    MessageBox MB_ICONEXCLAMATION|MB_RETRYCANCEL "$(STILL_RUNNING)" /SD IDCANCEL IDRETRY again
    Call ${un}StartAgain
    SetErrorLevel ${STILL_RUNS}
    Quit
    again:
  FunctionEnd

  Function ${un}StartAgain ; if it ran before and is there: what is queued goes on
    StrCpy $in_use 0
    !insertmacro LookAt "${PROGRAM_EXE}"
    ${If} $was_running = 1
    ${AndIf} $in_use = 0
    ${AndIf} ${FileExists} "${PROGRAM_EXE}"
      Exec '"${PROGRAM_EXE}" --hidden'
    ${EndIf}
  FunctionEnd
!macroend

!insertmacro RunningFunctions ""
!insertmacro RunningFunctions "un."

!macro Move from to ; the program as a whole; each is a rename within one disk, so it takes no time
  Rename "${from}\fieldpost.exe" "${to}\fieldpost.exe"
  Rename "${from}\fieldpost-console.exe" "${to}\fieldpost-console.exe"
  Rename "${from}\_internal" "${to}\_internal"
  Rename "${from}\licences" "${to}\licences"
!macroend

!macro Restore name all ; one part of the earlier program, if it was set aside; `all` tells a folder from a file
  ${If} ${FileExists} "${PREVIOUS}\${name}${all}"
    RMDir /r "$INSTDIR\${name}"
    Delete "$INSTDIR\${name}"
    Rename "${PREVIOUS}\${name}" "$INSTDIR\${name}"
  ${EndIf}
!macroend
