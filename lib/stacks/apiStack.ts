import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { SignInClient } from '../access/signInClient.ts';
import { ApiStage } from '../api/apiStage.ts';
import { Gateway } from '../api/gateway.ts';
import { GradualDeployments } from '../api/gradualDeployments.ts';
import { Units } from '../api/units.ts';
import { Targets } from '../compute/targets.ts';
import { apiFailingShape } from '../observability/alarmShapes.ts';
import { declareAlarm } from '../observability/alarms.ts';
import { countFailedInvocations } from '../observability/failedInvocations.ts';
import type { Settings } from '../settings.ts';
import { PublishedValues, valuesFor } from '../values.ts';
import { stackProps } from './stackProps.ts';

/** What answers requests. It changes gradually, and is rolled back if requests fail. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, assets: string) {
    super(scope, id, { ...stackProps(settings), description: 'Inference attribution: the HTTP API' });
    const read = valuesFor(this, settings);
    const targets = new Targets(this, settings, read);
    const gateway = new Gateway(this, 'Gateway', settings);
    const { baseUrl } = gateway;
    const signIn = new SignInClient(this, 'SignIn', { settings, baseUrl, read });
    const units = new Units(this, 'Units', { settings, targets, assets, baseUrl, signIn });
    const stage = new ApiStage(this, 'ApiStage', {
      settings,
      gateway,
      targets: [...units.functions.values(), ...units.aliases.values()],
    });
    countFailedInvocations(this, units.functions, settings);
    if (settings.gradualDeployment) {
      const alarm = declareAlarm(this, 'ApiFailing', apiFailingShape(gateway.api.ref), settings);
      new GradualDeployments(this, 'GradualDeployments', { aliases: units.aliases, alarm });
    }
    const values = new PublishedValues(this, 'Values', settings);
    values.publish('api/id', gateway.api.ref);
    values.publish('api/url', baseUrl);
    const outputs = {
      BaseUrl: baseUrl,
      ...(stage.domainTarget !== undefined && { DomainTarget: stage.domainTarget }),
      OidcIssuer: signIn.issuer,
      OidcClientId: signIn.clientId,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
