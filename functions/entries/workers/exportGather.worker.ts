import type { Context } from 'aws-lambda';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { workStore } from '../../chargeback/exports/files/file.store.ts';
import { GatherInput, gather } from '../../chargeback/exports/steps/gather.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { archiveFromEnv, ledgerFromEnv } from '../wiring/ledgerFromEnv.ts';

/** How long one invocation reads the ledger. The work after the last page takes seconds of the remaining time. */
const SLICE_MS = 10 * MINUTE_MS;

const ledger = ledgerFromEnv(archiveFromEnv());
const rollups = rollupReader(resource('table', 'rollups'));
const work = workStore(resource('bucket', 'exportWork'));

/** Aggregates a partition of an export, or part of one. Invoked only by the export state machine. */
export const handler = (event: unknown, { awsRequestId }: Context) =>
  gather({ ledger, rollups, work, clock: systemClock, attempt: () => awsRequestId, slice: SLICE_MS })(
    GatherInput.parse(event),
  );
