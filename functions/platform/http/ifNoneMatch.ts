/** Whether an If-None-Match header names the content (RFC 9110 §13.1.2: weak comparison). */
export const isUnchanged = (condition: string | undefined, etag: string): boolean =>
  (condition ?? '')
    .split(',')
    .map((item) => item.trim())
    .some((item) => item === '*' || item === etag || `W/${item}` === etag);
