import { expect, it } from 'vitest';
import { requireOwnSourceSystems } from '../../../../functions/insight/coverage/partner/connector.ts';

const accept = (systems: readonly string[], source_system: unknown) =>
  requireOwnSourceSystems(systems, [{ source_system }], () => '');

it.each([undefined, null, '', 'kong'])('a connector of one source system may send %j', (named) => {
  expect(accept(['kong'], named)).toEqual([{ source_system: 'kong' }]);
});

// A number would be corrected to its digits, which name another source system.
it.each(['Kong', 'kong ', 'elsewhere', 7, true, ['kong'], {}])('no connector may send %j', (named) => {
  expect(() => accept(['kong'], named)).toThrow('is not of a source system of this connector');
  expect(() => accept(['kong', 'kong-batch'], named)).toThrow('is not of a source system of this connector');
});

it.each([undefined, null, ''])('a connector of several source systems may not send %j', (named) => {
  expect(() => accept(['kong', 'kong-batch'], named)).toThrow('names no source system');
});
