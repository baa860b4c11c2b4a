; Opens session files for this user. electron-builder's own association needs an installation for all users.
!macro customInstall
  WriteRegStr HKCU "Software\Classes\.roundtrip" "" "Roundtrip.Session"
  WriteRegStr HKCU "Software\Classes\Roundtrip.Session" "" "Roundtrip session"
  WriteRegStr HKCU "Software\Classes\Roundtrip.Session\DefaultIcon" "" "$INSTDIR\Roundtrip.exe,0"
  WriteRegStr HKCU "Software\Classes\Roundtrip.Session\shell\open\command" "" '"$INSTDIR\Roundtrip.exe" "%1"'
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\Roundtrip.Session"
  DeleteRegKey HKCU "Software\Classes\.roundtrip"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
