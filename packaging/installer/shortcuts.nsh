; SPDX-FileCopyrightText: 2026 The Fieldpost authors
; SPDX-License-Identifier: Apache-2.0
; The entries in the Start menu and in Explorer's "Send to".

!include Win\COM.nsh
!include Win\Propkey.nsh

!define START_MENU_ENTRY "$SMPROGRAMS\Fieldpost.lnk"
!define SEND_TO_ENTRY "$SENDTO\Fieldpost.lnk"
!define STGM_READ_AND_WRITE 2
!define A_WIDE_STRING 31 ; VT_LPWSTR

!macro TellExplorer ; that a file type has changed, else it shows the old icon until the next sign-in
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

Function MakeShortcuts
  SetOutPath "$INSTDIR" ; where the program starts
  CreateShortcut "${START_MENU_ENTRY}" "${PROGRAM_EXE}" "" "${PROGRAM_EXE}" 0 SW_SHOWNORMAL "" "$(SHORTCUT_WORDS)"
  CreateShortcut "${SEND_TO_ENTRY}" "${PROGRAM_EXE}" "open" "${PROGRAM_EXE}" 0 SW_SHOWNORMAL "" "$(SHORTCUT_WORDS)"
  Call NameTheApp
FunctionEnd

; Windows shows a notice under the name of the Start menu entry that has the same id as the program. NSIS cannot write
; the id by itself, so Windows is asked to. Where it cannot (Wine), the entry works without.
Function NameTheApp
  !insertmacro ComHlpr_CreateInProcInstance ${CLSID_ShellLink} ${IID_IShellLink} r0 ""
  ${If} $0 P<> 0
    ${IUnknown::QueryInterface} $0 '("${IID_IPersistFile}",.r1)'
    ${IUnknown::QueryInterface} $0 '("${IID_IPropertyStore}",.r2)'
    ${If} $1 P<> 0
    ${AndIf} $2 P<> 0
      ${IPersistFile::Load} $1 '("${START_MENU_ENTRY}",${STGM_READ_AND_WRITE})'
      System::Call '*(&w64 "${APP_ID}")p.r3'
      System::Call '*(&i2 ${A_WIDE_STRING},&i6 0,p r3,p 0)p.r4'
      System::Call '*${SYSSTRUCT_PROPERTYKEY}(${PKEY_AppUserModel_ID})p.r5'
      ${IPropertyStore::SetValue} $2 '(r5,r4).r6'
      ${If} $6 = 0
        ${IPropertyStore::Commit} $2 ""
        ${IPersistFile::Save} $1 '("${START_MENU_ENTRY}",1)'
      ${EndIf}
      System::Free $3
      System::Free $4
      System::Free $5
    ${EndIf}
    ${If} $2 P<> 0
      ${IUnknown::Release} $2 ""
    ${EndIf}
    ${If} $1 P<> 0
      ${IUnknown::Release} $1 ""
    ${EndIf}
    ${IUnknown::Release} $0 ""
  ${EndIf}
FunctionEnd
