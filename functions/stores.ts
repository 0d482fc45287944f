import type { AuditAction } from '../schemas/access/audit.ts';
import type { Need } from '../schemas/platform/resources.ts';
import type { RouteShape } from '../schemas/routes/route.ts';
import type { MappingReader, MappingWriter } from './attribution/mappings/mapping.store.ts';
import type {
  ModelList,
  ModelRegistry,
  ServingReader,
} from './attribution/training/models/registry.store.ts';
import type { PresignUrl } from './chargeback/exports/files/file.store.ts';
import type { Executions } from './chargeback/exports/job/execution.aws.ts';
import type { ExportReader, ExportStore } from './chargeback/exports/job/export.store.ts';
import type { ScheduleReader, ScheduleStore } from './chargeback/exports/schedules/schedule.store.ts';
import type { BillReader, BillWriter } from './chargeback/reconciliation/bill.store.ts';
import type {
  BillImportReader,
  BillImportWriter,
} from './chargeback/reconciliation/imports/billImport.store.ts';
import type {
  BillSourceReader,
  BillSourceWriter,
} from './chargeback/reconciliation/sources/billSource.store.ts';
import type { SealCredential } from './chargeback/reconciliation/sources/credential.aws.ts';
import type { NotificationReader } from './delivery/notifications/notification.store.ts';
import type { ReadMarkReader, ReadMarkWriter } from './delivery/notifications/readMark.store.ts';
import type { DeliveryLogReader } from './delivery/webhooks/deliveries/deliveryLog.store.ts';
import type { ChargeChallenge } from './delivery/webhooks/endpoints/challengeLimit.ts';
import type { EndpointReader, EndpointWriter } from './delivery/webhooks/endpoints/endpoint.store.ts';
import type { VetUrl } from './delivery/webhooks/endpoints/requireAllowedUrl.ts';
import type { Publisher } from './delivery/webhooks/streams/publish.ts';
import type { ReplayReader } from './delivery/webhooks/streams/replay.ts';
import type {
  CredentialLists,
  CredentialReader,
  CredentialWriter,
  MembershipReader,
} from './identity/access/credential.store.ts';
import type {
  GrantReader,
  GrantWriter,
  SessionStore,
  SessionWriter,
  SignInStore,
} from './identity/access/grant.store.ts';
import type { KeySet, TokenSigner } from './identity/access/signingKey.aws.ts';
import type { AuditLog, AuditReader } from './identity/audit/audit.store.ts';
import type { UserInvitations } from './identity/users/userPool.aws.ts';
import type { AcceptedQueue } from './ingest/events/acceptedQueue.aws.ts';
import type { FindingReader } from './insight/anomalies/anomaly.store.ts';
import type { MuteStore } from './insight/anomalies/mutes/mute.store.ts';
import type { BudgetReader, BudgetWriter } from './insight/budgets/budget.store.ts';
import type { ConnectorMeter, ConnectorReader } from './insight/coverage/connector.store.ts';
import type { CoverageStore, ExpectationStore } from './insight/coverage/coverage.store.ts';
import type { DiscoveryWriter } from './insight/coverage/discovery.store.ts';
import type { SignalStore } from './insight/coverage/signals/signal.store.ts';
import type { IndexLag } from './ledger/freshness/indexLag.ts';
import type { ReportProgress } from './ledger/freshness/progress.ts';
import type { DedupClaimReader } from './ledger/records/dedupClaim.store.ts';
import type { DisputeReader } from './ledger/records/disputeIndex.store.ts';
import type { LedgerReader } from './ledger/records/ledger.store.ts';
import type { TraceRecordReader } from './ledger/records/query/traceRecord.store.ts';
import type { VersionBatchReader } from './ledger/records/query/versionBatch.store.ts';
import type { RecordVersionStore } from './ledger/records/recordVersion.store.ts';
import type { SortIndexReader } from './ledger/records/sortIndex/sortIndexReader.store.ts';
import type { GroupDirectory } from './ledger/rollups/groupDirectory.store.ts';
import type { MarkDirty } from './ledger/rollups/markDirty.ts';
import type { RequestTotalsCheck } from './ledger/rollups/requestCheck.ts';
import type { RollupReader } from './ledger/rollups/rollup.store.ts';
import type { CheckReadiness } from './platform/apiDocs/contract/readiness.ts';
import type { JobQueue, JobStore } from './platform/jobs/job.store.ts';
import type { LastUse } from './platform/limits/lastUse.store.ts';
import type { Limiter } from './platform/limits/limiter.ts';
import type { Outbox } from './platform/outbox/outbox.store.ts';
import type { DerivedKey } from './platform/shared/aws/derivedKey.aws.ts';
import type { TenantReader, TenantSettingsWriter } from './platform/tenancy/tenant.store.ts';
import type { CounterReader } from './tenants/diagnostics/counter.store.ts';
import type { HourlyCounters } from './tenants/diagnostics/counters.ts';
import type { SandboxStore } from './tenants/sandbox/sandbox.store.ts';

/** The stores a handler receives for each need its route declares. */
interface StoreFor {
  'ledger.read': { readonly ledger: LedgerReader };
  'ledger.sort': { readonly sortIndex: SortIndexReader; readonly versions: VersionBatchReader };
  'claims.read': { readonly claims: DedupClaimReader };
  'traces.read': { readonly traces: TraceRecordReader };
  'disputes.read': { readonly disputes: DisputeReader };
  'ledger.correct': { readonly corrections: RecordVersionStore };
  'tenants.read': { readonly tenants: TenantReader };
  /** Includes `vet`, because a chat URL must pass the URL policy before it is written. */
  'tenants.write': { readonly tenantSettings: TenantSettingsWriter; readonly vet: VetUrl };
  'sandbox.write': { readonly sandboxes: SandboxStore };
  'models.read': { readonly serving: ServingReader };
  'models.list': { readonly models: ModelList };
  'models.write': { readonly models: ModelRegistry };
  'jobs.create': { readonly jobs: Pick<JobStore, 'create'> };
  'jobs.write': { readonly jobs: JobStore };
  'jobs.send': { readonly jobQueue: JobQueue };
  'access.read': { readonly credentials: CredentialReader & MembershipReader };
  'access.list': { readonly credentialLists: CredentialLists };
  'userPool.invite': { readonly invitations: UserInvitations };
  'access.write': { readonly credentialWriter: CredentialWriter };
  'grants.read': { readonly grants: GrantReader };
  'grants.start': { readonly signIns: SignInStore };
  'grants.write': { readonly grantWriter: GrantWriter; readonly sessions: SessionWriter };
  'grants.session': { readonly grantWriter: GrantWriter; readonly sessions: SessionStore };
  'audit.append': { readonly audit: AuditLog };
  'audit.read': { readonly auditReader: AuditReader };
  'outbox.append': { readonly outbox: Outbox };
  'rollups.mark': { readonly mark: MarkDirty };
  'rollups.check': { readonly requestTotalsCheck: RequestTotalsCheck };
  'rollups.groups': { readonly groups: Pick<GroupDirectory, 'read'> };
  'rollups.read': { readonly rollups: RollupReader };
  'coverage.evaluate': { readonly coverage: CoverageStore };
  'coverage.writeExpectations': { readonly expectations: ExpectationStore };
  'coverage.meterConnector': { readonly meter: ConnectorMeter };
  'coverage.readConnector': { readonly connectors: ConnectorReader };
  'coverage.recordDiscovery': { readonly discovery: DiscoveryWriter };
  'signals.write': { readonly signals: SignalStore };
  'counters.add': { readonly counters: HourlyCounters };
  'progress.report': { readonly reportProgress: ReportProgress };
  'progress.read': { readonly indexLag: IndexLag };
  'counters.read': { readonly counters: CounterReader };
  'bills.read': { readonly bills: BillReader };
  'bills.write': { readonly billWriter: BillWriter };
  'billImports.read': { readonly billImports: BillImportReader };
  'billImports.write': { readonly billImportWriter: BillImportWriter };
  'billSources.read': { readonly billSources: BillSourceReader };
  'billSources.write': { readonly billSourceWriter: BillSourceWriter };
  /** The ARN of the role that imports bills. */
  'billRole.name': { readonly importRoleArn: string };
  'billCredential.encrypt': { readonly sealCredential: SealCredential };
  'jobs.read': { readonly jobs: Pick<JobStore, 'newest'> };
  'exports.read': { readonly exports: ExportReader; readonly exportSchedules: ScheduleReader };
  'exports.write': { readonly exportStore: ExportStore; readonly scheduleStore: ScheduleStore };
  'exports.sign': { readonly sign: PresignUrl };
  'exportRuns.start': { readonly executions: Pick<Executions, 'start'> };
  'budgets.list': { readonly budgets: Pick<BudgetReader, 'budgets' | 'crossings'> };
  'budgets.read': { readonly budgets: BudgetReader };
  'budgets.write': { readonly budgetWriter: BudgetWriter };
  'notifications.read': { readonly notifications: NotificationReader };
  'notifications.readMark': { readonly readMark: ReadMarkReader };
  'notifications.mark': { readonly readMarks: ReadMarkWriter };
  'anomalies.read': { readonly findings: FindingReader; readonly mutes: Pick<MuteStore, 'find'> };
  'anomalies.mute': { readonly findings: Pick<FindingReader, 'finding'>; readonly mutes: MuteStore };
  'identity.read': { readonly mappings: Pick<MappingReader, 'mapping'> };
  'identity.list': { readonly mappings: MappingReader };
  'identity.write': { readonly mappingWriter: MappingWriter };
  /** Reads events of the outbox and, with `ledger.readVersions`, those that follow from versions. */
  'outbox.replay': { readonly raised: ReplayReader };
  'webhooks.list': { readonly endpoints: Pick<EndpointReader, 'endpointsOf'> };
  'webhooks.read': { readonly endpoints: EndpointReader };
  /** A URL must pass the URL policy (`vet`), and a challenge must be within its limit, before either is written. */
  'webhooks.write': {
    readonly endpointWriter: EndpointWriter;
    readonly vet: VetUrl;
    readonly chargeChallenge: ChargeChallenge;
  };
  'deliveries.read': { readonly deliveryLog: DeliveryLogReader };
  'deliveries.append': { readonly publisher: Publisher };
  'endpoint.derive': { readonly endpointKey: DerivedKey };
  'limits.read': { readonly limiter: Pick<Limiter, 'peek'> };
  'limits.usage': { readonly lastUse: LastUse };
  'limits.charge': { readonly limiter: Limiter };
  'accepted.send': { readonly accepted: AcceptedQueue };
  /** Also serves the other probes, because one report covers all dependencies. */
  'tenants.probe': { readonly checkReadiness: CheckReadiness };
  'signing.sign': { readonly signer: TokenSigner };
  'signing.verify': { readonly keys: KeySet };
  'cursor.derive': { readonly cursorKey: DerivedKey };
}

type UnionToIntersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

type RequiredStores<R extends RouteShape> = [R['needs'][number]] extends [never]
  ? Record<never, never>
  : UnionToIntersection<StoreFor[R['needs'][number] & keyof StoreFor & Need]>;

type AuditStores<R extends RouteShape> = R['audit'] extends AuditAction
  ? { readonly audit: AuditLog }
  : Record<never, never>;

/** The stores of a route: those of its needs, and the audit log if it declares an audit action. */
export type StoresOf<R extends RouteShape> = RequiredStores<R> & AuditStores<R>;
