import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Targets } from '../compute/targets.ts';
import { Workers } from '../compute/workers.ts';
import { addExportStateMachine } from '../exports/stateMachine.ts';
import { countFailedInvocations } from '../observability/failedInvocations.ts';
import { countLedgerChecks } from '../observability/ledgerChecks.ts';
import type { Settings } from '../settings.ts';
import { valuesFor } from '../values.ts';
import { stackProps } from './stackProps.ts';

/** What processes events. It is deployed after the API, so it meets no message of a canary that is rolled back. */
export class WorkersStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, assets: string) {
    super(scope, id, {
      ...stackProps(settings),
      description: 'Inference attribution: workers, schedules and exports',
    });
    const read = valuesFor(this, settings);
    const targets = new Targets(this, settings, read);
    const workers = new Workers(this, 'Workers', { settings, targets, assets, baseUrl: read('api/url') });
    addExportStateMachine(this, 'Exports', settings, {
      control: workers.get('exportControl'),
      gather: workers.get('exportGather'),
      write: workers.get('exportWrite'),
    });
    countFailedInvocations(this, workers.functions, settings);
    countLedgerChecks(this, workers, settings);
    new CfnOutput(this, 'StateMachineExports', { value: targets.get('stateMachine', 'exports').reference });
  }
}
