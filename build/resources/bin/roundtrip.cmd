@echo off
rem Roundtrip's command line: the app's own program, run as Node.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Roundtrip.exe" "%~dp0..\app.asar\dist\cli.cjs" %*
