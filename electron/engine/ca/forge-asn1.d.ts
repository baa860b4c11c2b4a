/** One module of node-forge by itself; the types know only the whole package. */
declare module 'node-forge/lib/asn1.js' {
  const asn1: typeof import('node-forge').asn1;
  export default asn1;
}
