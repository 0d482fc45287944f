/** A table had no capacity until the time of the caller was over. Nothing was written, and no other writer was involved. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
}
