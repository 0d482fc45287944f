import type { Context } from 'aws-lambda';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { GatherInput, gather } from '../../chargeback/exports/steps/gather.ts';
import { nodeHoursRead } from '../stores/attribution.ts';
import { exportWorkReadWrite } from '../stores/chargeback/exportFiles.ts';
import { environment } from '../stores/environment.ts';
import { rollupsRead } from '../stores/ledger.ts';
import { storesIn } from '../stores/provider.ts';
import { ledgerRead } from '../stores/records.ts';

/** How long one invocation reads the ledger. The work after the last page takes seconds of the remaining time. */
const SLICE_MS = 10 * MINUTE_MS;

const stores = storesIn(environment, { exportWorkReadWrite, ledgerRead, nodeHoursRead, rollupsRead });

/** Aggregates a partition of an export, or part of one. Invoked only by the export state machine. */
export const handler = (event: unknown, { awsRequestId }: Context) =>
  gather({ ...stores, clock: environment.clock, attempt: () => awsRequestId, slice: SLICE_MS })(
    GatherInput.parse(event),
  );
