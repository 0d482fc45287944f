import { recordSubscription } from '../../attribution/engine/recordSubscription.ts';
import { reviser } from '../../attribution/engine/revise.ts';
import { tracePassRunner } from '../../attribution/engine/trace/tracePass.ts';
import { raisedVersionLog } from '../../ledger/records/raised/raisedVersionLog.store.ts';
import { webhooksList } from '../stores/delivery.ts';
import { environment } from '../stores/environment.ts';
import { rollupsMark, tracesWrite } from '../stores/ledger.ts';
import { tenantsRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';
import { ledgerCorrect } from '../stores/records.ts';
import { attributionContextFromEnv } from './attributionContextFromEnv.ts';
import { hasTime } from './roundsFromEnv.ts';

const { clock, resourceOf } = environment;
const { tenants, mark, endpoints, corrections, ...stores } = storesIn(environment, {
  ledgerCorrect,
  rollupsMark,
  tenantsRead,
  tracesWrite,
  webhooksList,
});

/** Runs a pass over a trace, configured from the environment. */
export const runTracePass = tracePassRunner({
  traces: stores.traceStore,
  agreements: stores.traceAgreements,
  records: corrections,
  revise: reviser(
    corrections,
    clock,
    recordSubscription(endpoints, clock, raisedVersionLog(resourceOf('outbox.append'))),
  ),
  mark,
  queue: stores.tracePasses,
  requestPass: stores.tracePasses.request,
  clock,
  hasTime,
  tenantById: tenants.tenant,
  attributionContext: attributionContextFromEnv(Number.POSITIVE_INFINITY),
});
