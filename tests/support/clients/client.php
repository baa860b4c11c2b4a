<?php
[, $how, $url] = $argv;
if ($how === 'curl') {
    $handle = curl_init($url);
    curl_setopt($handle, CURLOPT_RETURNTRANSFER, true);
    echo curl_exec($handle) ?: exit(1);
} else {
    echo file_get_contents($url) ?: exit(1);
}
