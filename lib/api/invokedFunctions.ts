import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { UnitName } from '../../schemas/routes/route.ts';
import type { Settings } from '../settings.ts';
import { gradualUnits, LIVE_ALIAS } from './gradualDeployments.ts';

/**
 * The fixed name of the function of a unit. The API names its functions, and they name the API in `BASE_URL`. A reference
 * in both directions would be a circle that CloudFormation refuses.
 */
export const functionNameOf = (unit: UnitName): string => `${Aws.STACK_NAME}-${unit}`;

/** Whether the requests of a unit reach an alias that a gradual deployment moves from version to version. */
export const isGradual = (unit: UnitName, { gradualDeployment }: Settings): boolean =>
  gradualDeployment && gradualUnits.includes(unit);

const arnOf = (scope: Construct, unit: UnitName): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: functionNameOf(unit),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
const liveArnOf = (scope: Construct, unit: UnitName): string => `${arnOf(scope, unit)}:${LIVE_ALIAS}`;

/** The ARN that the API invokes for a unit: of the function, or of its alias. */
export const invokedArnOf = (scope: Construct, unit: UnitName, settings: Settings): string =>
  isGradual(unit, settings) ? liveArnOf(scope, unit) : arnOf(scope, unit);

/**
 * The ARNs that the API may invoke for a unit, whether deployments are gradual or not. When that setting changes, the stage
 * invokes the previous ARN until all functions have changed, and the role changes before them.
 */
export const invocableArnsOf = (scope: Construct, unit: UnitName): string[] => [
  arnOf(scope, unit),
  ...(gradualUnits.includes(unit) ? [liveArnOf(scope, unit)] : []),
];
