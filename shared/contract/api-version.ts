/**
 * The version of the contract, for programs that attach to a running Roundtrip. It rises when a request, an event or a
 * field is removed or changes its meaning; additions leave it as it is.
 */
export const API_VERSION = 1;
