import type { Context } from 'aws-lambda';
import { workStore } from '../../exports/files/file.store.ts';
import { GatherInput, gather } from '../../exports/steps/gather.ts';
import { ledgerReader } from '../../ledger/ledger.store.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';

/** How long one call gathers, in milliseconds: what follows a page, and the last run, take seconds of the rest. */
const SLICE = 10 * 60 * 1_000;

const ledger = ledgerReader(resource('table', 'ledger'), systemClock);
const work = workStore(resource('bucket', 'exportWork'));

/** Gathers a piece of an export, or a part of it. Called by the state machine of exports alone. */
export const handler = (event: unknown, { awsRequestId }: Context) =>
  gather({ ledger, work, clock: systemClock, attempt: () => awsRequestId, slice: SLICE })(
    GatherInput.parse(event),
  );
