import type { RecordVersionStore } from '../../../ledger/records/recordVersion.store.ts';
import type { TraceStore } from '../../../ledger/records/trace/trace.store.ts';
import type { TraceAgreementStore } from '../../../ledger/records/trace/traceAgreement.store.ts';
import type { RequestTracePass } from '../../../ledger/records/trace/tracePass.aws.ts';
import type { TraceLane } from '../../../ledger/records/trace/traceSpan.ts';
import type { TraceView } from '../../../ledger/records/trace/traceView.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from '../attribute.ts';
import type { ResolveNames } from './trace.ts';

/** One trace of a tenant in one lane, as a worker reads it. */
export interface TraceScope {
  readonly tenant: Tenant;
  readonly trace: TraceLane;
  readonly context: TenantAttributionContext;
  readonly resolveNames: ResolveNames;
}

/** A trace as it was read at one time. */
export interface ViewedTrace extends TraceScope {
  readonly view: TraceView;
}

export interface TraceStores {
  readonly traces: TraceStore;
  readonly agreements: TraceAgreementStore;
  readonly records: Pick<RecordVersionStore, 'find'>;
  readonly requestPass: RequestTracePass;
  readonly clock: () => number;
}
