; SPDX-FileCopyrightText: 2026 The Fieldpost authors
; SPDX-License-Identifier: Apache-2.0
; /PROFILE=file into $settings. NSIS' own way overlooks "/PROFILE=C:\a file", as most programs quote it; a settings file
; that is overlooked without a word is found out about on a hundred laptops. So Windows takes the command line apart.

!define OPTION "/PROFILE="
!define POINTER_BYTES 8

Function ReadSettingsOption
  StrLen $8 "${OPTION}"
  StrCpy $0 $CMDLINE
  System::Call 'shell32::CommandLineToArgvW(w r0,*i.r1)p.r2'
  ${If} $2 P<> 0
    StrCpy $3 $2
    ${While} $1 > 0
      System::Call '*$3(w.r4)'
      StrCpy $5 $4 $8
      ${If} $5 == "${OPTION}"
        StrCpy $settings $4 "" $8
      ${EndIf}
      IntPtrOp $3 $3 + ${POINTER_BYTES}
      IntOp $1 $1 - 1
    ${EndWhile}
    System::Call 'kernel32::LocalFree(p r2)'
  ${EndIf}
FunctionEnd
