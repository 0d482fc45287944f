import { createHash } from 'node:crypto';

/** The digest of a statement of erasure. The audit log holds it, so that the printed statement can be verified later. */
export const digestOf = (statement: object): string =>
  `sha256:${createHash('sha256').update(JSON.stringify(statement)).digest('hex')}`;
