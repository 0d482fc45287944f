import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { IdentityProvider } from './access/identityProvider.ts';
import { Keys } from './access/keys.ts';
import { Gateway } from './api/gateway.ts';
import { Units } from './api/units.ts';
import { Targets } from './compute/targets.ts';
import { Workers } from './compute/workers.ts';
import { Buckets } from './data/buckets.ts';
import { Queues } from './data/queues.ts';
import { Tables } from './data/tables.ts';
import { ExportStateMachine } from './exports/stateMachine.ts';
import { Alarms } from './observability/alarms.ts';
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
    });
    const platform = { settings, targets, assets, baseUrl: gateway.baseUrl };
    const exports = new ExportStateMachine(this, 'Exports', targets);
    const workers = new Workers(this, 'Workers', platform, { queues, tables });
    exports.runIn({
      control: workers.get('exportControl'),
      gather: workers.get('exportGather'),
      write: workers.get('exportWrite'),
    });
    const units = new Units(this, 'Units', { ...platform, identityProvider }, gateway);
    const { topic } = new Alarms(this, 'Alarms', {
      settings,
      apiId: gateway.api.ref,
      functions: new Map([...units.functions, ...workers.functions]),
      streamConsumers: workers.streamConsumers,
      queues: queues.pairs,
      ledger: tables.get('ledger'),
      exports: exports.machine,
    });
    addOutputs(this, targets, {
      BaseUrl: gateway.baseUrl,
      Environment: settings.environment,
      ...(gateway.domainTarget !== undefined && { DomainTarget: gateway.domainTarget }),
      IngestionQueueUrl: queues.get('ingestion').queue.queueUrl,
      AlarmTopic: topic.topicArn,
      OidcIssuer: identityProvider.issuer,
      OidcClientId: identityProvider.clientId,
      ...(identityProvider.userPoolId !== undefined && { UserPoolId: identityProvider.userPoolId }),
    });
  }
}
