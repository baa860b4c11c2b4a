; The files of this user that Roundtrip opens. electron-builder's own associations take .har files from the program that
; opens them, leave a dead name behind, and give the program's path without quotes.
!macro openWith CLASS DESCRIPTION
  WriteRegStr HKCU "Software\Classes\${CLASS}" "" "${DESCRIPTION}"
  WriteRegStr HKCU "Software\Classes\${CLASS}\DefaultIcon" "" "$INSTDIR\Roundtrip.exe,0"
  WriteRegStr HKCU "Software\Classes\${CLASS}\shell\open\command" "" '"$INSTDIR\Roundtrip.exe" "%1"'
!macroend

!macro customInstall
  !insertmacro openWith "Roundtrip.Session" "Roundtrip session"
  WriteRegStr HKCU "Software\Classes\.roundtrip" "" "Roundtrip.Session"
  ; Offered in "Open with", and the default only if there is no other.
  !insertmacro openWith "Roundtrip.Archive" "HTTP archive"
  WriteRegNone HKCU "Software\Classes\.har\OpenWithProgids" "Roundtrip.Archive"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\Roundtrip.Session"
  DeleteRegKey HKCU "Software\Classes\.roundtrip"
  DeleteRegKey HKCU "Software\Classes\Roundtrip.Archive"
  DeleteRegValue HKCU "Software\Classes\.har\OpenWithProgids" "Roundtrip.Archive"
  ; A copy of the installer, from which an update takes what has not changed.
  ${ifNot} ${isUpdated}
    RMDir /r "$LOCALAPPDATA\roundtrip-updater"
  ${endIf}
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
