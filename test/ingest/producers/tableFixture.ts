import type { ProducerFixture } from './fixture.ts';

/** A row of a table of calls, in the columns of its source, and what its event has besides model and counts. */
export type TableFixture = ProducerFixture & { readonly row: Readonly<Record<string, unknown>> };

export const TIME = '2026-11-01T12:00:00.000Z';
/** Of rows without an id: at a whole hour it would be that of a sum. */
export const AT = '2026-11-01T12:03:10.250Z';
export const ID = '550e8400-e29b-41d4-a716-446655440000';
