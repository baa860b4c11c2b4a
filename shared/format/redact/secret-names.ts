/** Header fields whose value grants access, in lower case. Cookies are handled separately, because their names stay. */
const HEADERS = new Set([
  ...['authorization', 'proxy-authorization', 'authentication-info', 'proxy-authentication-info', 'api-key', 'apikey'],
  ...['x-api-key', 'x-goog-api-key', 'x-amz-security-token', 'x-goog-iam-authorization-token', 'private-token'],
]);

/** Names of fields, lower case without `-`, `_`, `.` and brackets, whose value is always secret. */
const MEMBERS = new Set([
  ...['password', 'passwd', 'pwd', 'pass', 'passphrase', 'passcode', 'pin', 'otp', 'totp', 'cvv', 'cvc', 'cardnumber'],
  ...['secret', 'token', 'jwt', 'bearer', 'authorization', 'credential', 'credentials', 'assertion', 'clientassertion'],
  ...['apikey', 'accesskey', 'secretkey', 'privatekey', 'sessionid', 'sid', 'jsessionid', 'phpsessid', 'csrf', 'xsrf'],
  ...['samlresponse', 'samlrequest', 'codeverifier', 'pw', 'otpcode', 'verificationcode', 'recoverycode'],
  ...['ccnumber', 'cardcvc', 'cardcvv', 'cvv2', 'securitycode', 'ssn'],
]);

/** Secret in a query or a form; in JSON these are mostly harmless words. */
const FIELDS = new Set([
  ...['key', 'code', 'auth', 'sig', 'signature', 'session', 'ticket', 'xamzsignature', 'xamzcredential'],
  ...['xgoogsignature', 'xgoogcredential', 'awsaccesskeyid', 'accesskeyid', 'ossaccesskeyid'],
]);

/** Django repeats a password as `password2`, Rails as `password_confirmation`; OpenID Connect has `id_token_hint`. */
const ENDINGS =
  /(?:token|secret|password|passwd|apikey|accesskey|secretkey|privatekey|sessionid)(?:\d+|confirm|confirmation|hint)?$/;

/** `name`: lower case. */
export function isSecretHeader(name: string): boolean {
  return HEADERS.has(name) || ENDINGS.test(bare(name));
}

/** A member of a JSON document. */
export function isSecretMember(name: string): boolean {
  const word = bare(name);
  return MEMBERS.has(word) || ENDINGS.test(word);
}

/** A parameter of a query, or a field of a form. */
export function isSecretField(name: string): boolean {
  return isSecretMember(name) || FIELDS.has(bare(name));
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[-_.[\]]/g, '');
}
