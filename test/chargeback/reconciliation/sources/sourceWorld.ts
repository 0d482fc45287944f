import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { dateBefore, HOUR_MS, type SourceHarness, startSourceHarness } from './sourceHarness.ts';

export let world: SourceHarness;
export let faults: SourceHarness['faults'];
/** The tenant of the present test. */
export let tenant: Tenant;

/** Starts the world of a test file, with a new tenant for each test. `days`: those that the providers have published. */
export const useSources = (days?: { readonly from: number; readonly to: number }): void => {
  beforeAll(async () => {
    world = await startSourceHarness();
    ({ faults } = world);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    tenant = world.newTest(days);
  });
  afterEach(() => vi.restoreAllMocks());
};

export const input = (amount: string) => ({ amount, item: 'gpt-4o-2024-08-06, input', account: 'proj_1' });
export const output = (amount: string) => ({ amount, item: 'gpt-4o-2024-08-06, output', account: 'proj_1' });
export const yesterday = dateBefore(1);

export const runLater = async (milliseconds = HOUR_MS): Promise<void> => {
  world.time.now += milliseconds;
  await world.run(tenant);
};
