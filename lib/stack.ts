import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { EXPORT_ROLE_PREFIX } from '../schemas/chargeback/dataExport.ts';
import { IdentityProvider } from './access/identityProvider.ts';
import { Keys } from './access/keys.ts';
import { ApiStage } from './api/apiStage.ts';
import { Gateway } from './api/gateway.ts';
import { GradualDeployments } from './api/gradualDeployments.ts';
import { Units } from './api/units.ts';
import { Targets } from './compute/targets.ts';
import { Workers } from './compute/workers.ts';
import { Buckets } from './data/buckets.ts';
import { Queues } from './data/queues.ts';
import { Tables } from './data/tables.ts';
import { ExportStateMachine } from './exports/stateMachine.ts';
import { Alarms } from './observability/alarms.ts';
import { Dashboard } from './observability/dashboard.ts';
import { FailedInvocations } from './observability/failedInvocations.ts';
import { objectivesOf } from './observability/objectives.ts';
import { addSpendBudget } from './observability/spendBudget.ts';
import { addOutputs } from './outputs.ts';
import type { Settings } from './settings.ts';

export interface AttributionStackProps {
  readonly settings: Settings;
  /** The folder of bundles that the build wrote. */
  readonly assets: string;
}

/** The whole service. */
export class AttributionStack extends Stack {
  constructor(scope: Construct, id: string, { settings, assets }: AttributionStackProps) {
    super(scope, id, {
      description: 'Attributes the cost, energy and carbon of AI inference calls',
      terminationProtection: settings.protected,
    });
    const targets = new Targets();
    const tables = new Tables(this, 'Tables', settings, targets);
    new Buckets(this, 'Buckets', settings, targets);
    new Keys(this, 'Keys', settings, targets);
    const queues = new Queues(this, 'Queues', settings, targets);
    const gateway = new Gateway(this, 'Gateway', settings);
    const identityProvider = new IdentityProvider(this, 'IdentityProvider', {
      settings,
      baseUrl: gateway.baseUrl,
      targets,
    });
    const platform = { settings, targets, assets, baseUrl: gateway.baseUrl };
    targets.add({
      kind: 'billRole',
      name: 'customers',
      arns: [`arn:${this.partition}:iam::*:role/${EXPORT_ROLE_PREFIX}*`],
      reference: EXPORT_ROLE_PREFIX,
    });
    const exports = new ExportStateMachine(this, 'Exports', targets);
    const workers = new Workers(this, 'Workers', platform, { queues, tables });
    exports.runIn({
      control: workers.get('exportControl'),
      gather: workers.get('exportGather'),
      write: workers.get('exportWrite'),
    });
    // Trust policies of customers name this role, so its name does not follow that of the worker.
    this.renameLogicalId('WorkersBillImportsRole59C26590', 'WorkersTrainingsRole5CA03DE9');
    const importer = workers.roleOf('billImports');
    targets.add({ kind: 'billRole', name: 'importer', arns: [], reference: importer.roleArn });
    const units = new Units(this, 'Units', { ...platform, identityProvider });
    const stage = new ApiStage(this, 'ApiStage', {
      settings,
      gateway,
      targets: [...units.functions.values(), ...units.aliases.values()],
    });
    const functions = new Map([...units.functions, ...workers.functions]);
    const watched = {
      settings,
      apiId: gateway.api.ref,
      functions,
      streamConsumers: workers.streamConsumers,
      schedule: workers.ruleOf('jobs'),
      queues: queues.pairs,
      exports: exports.machine,
      failedInvocations: new FailedInvocations(this, 'FailedInvocations', functions, settings).metric,
    };
    const objectives = objectivesOf(settings, gateway.api.ref);
    const alarms = new Alarms(this, 'Alarms', watched, objectives);
    if (settings.gradualDeployment) {
      const { aliases } = units;
      const followers = [
        ...[...units.functions].flatMap(([unit, follower]) => (aliases.has(unit) ? [] : [follower])),
        ...workers.functions.values(),
      ];
      new GradualDeployments(this, 'GradualDeployments', {
        aliases,
        alarm: alarms.get('ApiFailing'),
        followers,
      });
    }
    new Dashboard(this, 'Dashboard', { ...watched, tables: tables.all, units: units.functions }, objectives);
    addSpendBudget(this, 'Spend', settings);
    addOutputs(this, targets, {
      BaseUrl: gateway.baseUrl,
      Environment: settings.environment,
      ...(stage.domainTarget !== undefined && { DomainTarget: stage.domainTarget }),
      IngestionQueueUrl: queues.get('ingestion').queue.queueUrl,
      PageTopic: alarms.topics.page.topicArn,
      TicketTopic: alarms.topics.ticket.topicArn,
      OidcIssuer: identityProvider.issuer,
      OidcClientId: identityProvider.clientId,
    });
  }
}
