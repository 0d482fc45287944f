import type { AuditAction } from '../schemas/access/audit.ts';
import type { Need } from '../schemas/platform/resources.ts';
import type { RouteShape } from '../schemas/routes/route.ts';
import type {
  CredentialLists,
  CredentialReader,
  CredentialWriter,
  MembershipReader,
} from './access/credential.store.ts';
import type {
  GrantReader,
  GrantWriter,
  SessionStore,
  SessionWriter,
  SignInStore,
} from './access/grant.store.ts';
import type { KeySet, TokenSigner } from './access/signingKey.store.ts';
import type { FindingReader } from './anomalies/anomaly.store.ts';
import type { MuteStore } from './anomalies/mutes/mute.store.ts';
import type { MappingReader, MappingWriter } from './attribution/mappings/mapping.store.ts';
import type { AuditLog, AuditReader } from './audit/audit.store.ts';
import type { BudgetReader, BudgetWriter } from './budgets/budget.store.ts';
import type { CheckReadiness } from './contract/readiness.ts';
import type { ConnectorMeter, ConnectorReader } from './coverage/connector.store.ts';
import type { CoverageStore, ExpectationStore } from './coverage/coverage.store.ts';
import type { DiscoveryWriter } from './coverage/discovery.store.ts';
import type { CounterReader } from './diagnostics/counter.store.ts';
import type { HourlyCounters } from './diagnostics/counters.ts';
import type { Outbox } from './events/outbox.store.ts';
import type { PresignUrl } from './exports/files/file.store.ts';
import type { Executions } from './exports/job/execution.store.ts';
import type { ExportReader, ExportStore } from './exports/job/export.store.ts';
import type { ScheduleReader, ScheduleStore } from './exports/schedules/schedule.store.ts';
import type { IndexLag } from './freshness/indexLag.ts';
import type { ReportProgress } from './freshness/progress.ts';
import type { AcceptedQueue } from './ingestion/acceptedQueue.store.ts';
import type { JobQueue, JobStore } from './jobs/job.store.ts';
import type { DedupClaimReader } from './ledger/dedupClaim.store.ts';
import type { DisputeReader } from './ledger/disputeIndex.store.ts';
import type { LedgerReader } from './ledger/ledger.store.ts';
import type { PlaceReader } from './ledger/places/placeReader.store.ts';
import type { TraceRecordReader } from './ledger/query/traceRecord.store.ts';
import type { VersionBatchReader } from './ledger/query/versionBatch.store.ts';
import type { RecordVersionStore } from './ledger/recordVersion.store.ts';
import type { LastUse } from './limits/lastUse.store.ts';
import type { Limiter } from './limits/limiter.ts';
import type { ModelList, ModelRegistry, ServingReader } from './models/registry.store.ts';
import type { NotificationReader } from './notifications/notification.store.ts';
import type { ReadMarkReader, ReadMarkWriter } from './notifications/readMark.store.ts';
import type { BillReader, BillWriter } from './reconciliation/bill.store.ts';
import type { BillImportReader, BillImportWriter } from './reconciliation/imports/billImport.store.ts';
import type { BillSourceReader, BillSourceWriter } from './reconciliation/sources/billSource.store.ts';
import type { SealCredential } from './reconciliation/sources/credential.store.ts';
import type { GroupDirectory } from './rollups/groupDirectory.store.ts';
import type { MarkDirty } from './rollups/markDirty.ts';
import type { RequestTotalsCheck } from './rollups/requestCheck.ts';
import type { RollupReader } from './rollups/rollup.store.ts';
import type { SandboxStore } from './sandbox/sandbox.store.ts';
import type { DerivedKey } from './shared/aws/derivedKey.store.ts';
import type { SignalStore } from './signals/signal.store.ts';
import type { TenantReader, TenantSettingsWriter } from './tenancy/tenant.store.ts';
import type { UserInvitations } from './users/userPool.store.ts';
import type { DeliveryLogReader } from './webhooks/deliveries/deliveryLog.store.ts';
import type { ChargeChallenge } from './webhooks/endpoints/challengeLimit.ts';
import type { EndpointReader, EndpointWriter } from './webhooks/endpoints/endpoint.store.ts';
import type { VetUrl } from './webhooks/endpoints/requireAllowedUrl.ts';
import type { Publisher } from './webhooks/streams/publish.ts';
import type { ReplayReader } from './webhooks/streams/replay.ts';

/** The stores a handler receives for each need its route declares. */
interface StoreFor {
  'ledger.read': { readonly ledger: LedgerReader };
  'ledger.sort': { readonly places: PlaceReader; readonly versions: VersionBatchReader };
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
