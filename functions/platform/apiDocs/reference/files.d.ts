/** A file that the bundler compresses with gzip. */
declare module '*?gzip' {
  const compressed: Uint8Array;
  export default compressed;
}

/** A compressed file as it is. */
declare module '*.gz' {
  const compressed: Uint8Array;
  export default compressed;
}
