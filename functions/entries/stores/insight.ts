import {
  type AnnotationReader,
  annotationReader,
  annotationStore,
} from '../../insight/annotations/annotation.store.ts';
import { type FindingReader, findingReader } from '../../insight/anomalies/anomaly.store.ts';
import { type MuteStore, muteStore } from '../../insight/anomalies/mutes/mute.store.ts';
import { type BudgetReader, budgetReader, budgetWriter } from '../../insight/budgets/budget.store.ts';
import { heartbeatRecorder } from '../../insight/coverage/captureHeartbeats.ts';
import { connectorMeter, connectorReader } from '../../insight/coverage/connector.store.ts';
import { coverageStore, expectationStore } from '../../insight/coverage/coverage.store.ts';
import { discoveryWriter } from '../../insight/coverage/discovery.store.ts';
import { heartbeatStore } from '../../insight/coverage/heartbeat.store.ts';
import { signalStore } from '../../insight/coverage/signals/signal.store.ts';
import { type MetricReader, metricReader, metricStore } from '../../insight/metrics/metric.store.ts';
import {
  type SavedViewReader,
  savedViewReader,
  savedViewStore,
} from '../../insight/savedViews/savedView.store.ts';
import {
  type DismissalReader,
  dismissalReader,
  dismissalStore,
} from '../../insight/savings/dismissals/dismissal.store.ts';
import {
  type SubscriptionReader,
  subscriptionReader,
  subscriptionStore,
} from '../../insight/subscriptions/subscription.store.ts';

export const reportSubscriptionsRead = (table: string): { readonly subscriptions: SubscriptionReader } => ({
  subscriptions: subscriptionReader(table),
});
export const reportSubscriptionsWrite = (table: string) => ({ subscriptionStore: subscriptionStore(table) });

type BudgetList = Pick<BudgetReader, 'budgets' | 'crossings'>;
export const budgetsList = (table: string): { readonly budgets: BudgetList } => ({
  budgets: budgetReader(table),
});
export const budgetsRead = (table: string) => ({ budgets: budgetReader(table) });
export const budgetsWrite = (table: string) => ({ budgetWriter: budgetWriter(table) });

interface Findings {
  readonly findings: FindingReader;
  readonly mutes: Pick<MuteStore, 'find'>;
}
interface MutableFindings {
  readonly findings: Pick<FindingReader, 'finding'>;
  readonly mutes: MuteStore;
}
const findings = (table: string) => ({ findings: findingReader(table), mutes: muteStore(table) });
export const anomaliesRead = (table: string): Findings => findings(table);
export const anomaliesMute = (table: string): MutableFindings => findings(table);

export const businessMetricsRead = (table: string): { readonly metrics: MetricReader } => ({
  metrics: metricReader(table),
});
export const businessMetricsWrite = (table: string) => ({ metricStore: metricStore(table) });

export const savedViewsRead = (table: string): { readonly savedViews: SavedViewReader } => ({
  savedViews: savedViewReader(table),
});
export const savedViewsWrite = (table: string) => ({ savedViewStore: savedViewStore(table) });

export const annotationsRead = (table: string): { readonly annotations: AnnotationReader } => ({
  annotations: annotationReader(table),
});
export const annotationsWrite = (table: string) => ({ annotationStore: annotationStore(table) });

export const savingDismissalsRead = (table: string): { readonly dismissals: DismissalReader } => ({
  dismissals: dismissalReader(table),
});
export const savingDismissalsWrite = (table: string) => ({ dismissalStore: dismissalStore(table) });

export const coverageEvaluate = (table: string) => ({ coverage: coverageStore(table) });
export const coverageWriteExpectations = (table: string) => ({
  expectations: expectationStore(table),
});
export const coverageMeterConnector = (table: string) => ({
  meter: connectorMeter(table),
});
export const coverageReadConnector = (table: string) => ({
  connectors: connectorReader(table),
});
export const coverageRecordDiscovery = (table: string) => ({
  discovery: discoveryWriter(table),
});
export const signalsWrite = (table: string) => ({ signals: signalStore(table) });
export const coverageRecordHeartbeat = (table: string) => ({
  recordHeartbeat: heartbeatRecorder(heartbeatStore(table)),
});
