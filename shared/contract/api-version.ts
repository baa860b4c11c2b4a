/**
 * The version of the contract, for programs that attach to a running Roundtrip. It rises when a request, an event or a
 * field is removed or changes its meaning; additions do not change it.
 */
export const API_VERSION = 1;
