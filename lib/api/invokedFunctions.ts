import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { UnitName } from '../../schemas/routes/route.ts';
import { functionNameOf } from '../names.ts';
import type { Settings } from '../settings.ts';

/** The alias that receives the requests of a unit in a gradual deployment. */
export const LIVE_ALIAS = 'live';

/** By the fixed name: API and functions name each other, and CloudFormation refuses a circle of references. */
const arnOf = (scope: Construct, unit: UnitName, { deployment }: Settings): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: functionNameOf(deployment, 'api', unit),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
const liveArnOf = (scope: Construct, unit: UnitName, settings: Settings): string =>
  `${arnOf(scope, unit, settings)}:${LIVE_ALIAS}`;

/** The ARN that the API invokes for a unit: of the function, or of its alias. */
export const invokedArnOf = (scope: Construct, unit: UnitName, settings: Settings): string =>
  settings.gradualDeployment ? liveArnOf(scope, unit, settings) : arnOf(scope, unit, settings);

/**
 * The ARNs that the API may invoke for a unit, whether deployments are gradual or not. When that setting changes, the stage
 * invokes the previous ARN until all functions have changed, and the role changes before them.
 */
export const invocableArnsOf = (scope: Construct, unit: UnitName, settings: Settings): string[] => [
  arnOf(scope, unit, settings),
  liveArnOf(scope, unit, settings),
];
