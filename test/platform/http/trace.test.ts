import { describe, expect, it } from 'vitest';
import { traceOf } from '../../../functions/platform/http/trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const NEW = 'ab'.repeat(16);
const random = () => new Uint8Array(16).fill(0xab);

describe('traceOf', () => {
  it.each([
    ['version 00', `00-${ID}-${SPAN}-01`],
    ['unknown flags', `00-${ID}-${SPAN}-ff`],
    ['a later version', `01-${ID}-${SPAN}-00`],
    ['a later version with more fields', `cc-${ID}-${SPAN}-01-what-the-future-brings`],
  ])('continues the trace of %s', (_, traceparent) => {
    expect(traceOf(traceparent, random)).toEqual({ traceId: ID });
  });

  it.each([
    ['is absent', undefined],
    ['is empty', ''],
    ['is malformed', 'banana'],
    ['has no trace id', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['has no parent id', `00-${ID}-${'0'.repeat(16)}-01`],
    ['is in upper case', `00-${ID.toUpperCase()}-${SPAN}-01`],
    ['is too short', `00-${ID.slice(1)}-${SPAN}-01`],
    ['is too long', `00-${ID}0-${SPAN}-01`],
    ['has no flags', `00-${ID}-${SPAN}`],
    ['has fields that version 00 does not have', `00-${ID}-${SPAN}-01-more`],
    ['ends in a dash', `00-${ID}-${SPAN}-01-`],
    ['has the forbidden version', `ff-${ID}-${SPAN}-01`],
    ['is repeated', `00-${ID}-${SPAN}-01,00-${ID}-${SPAN}-01`],
    ['is surrounded by spaces', ` 00-${ID}-${SPAN}-01 `],
    ['ends in a line break', `00-${ID}-${SPAN}-01\n`],
  ])('starts a new trace if traceparent %s', (_, traceparent) => {
    expect(traceOf(traceparent, random)).toEqual({ traceId: NEW });
  });

  it('returns another trace for each request', () => {
    expect(traceOf(undefined).traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceOf(undefined)).not.toEqual(traceOf(undefined));
  });
});
