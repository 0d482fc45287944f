import { Stack, Validations } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { needsOfUnit, routesOf } from '../../schemas/routes/index.ts';
import { routeKey, type UnitName, units } from '../../schemas/routes/route.ts';
import type { OidcClientConfig } from '../access/identityProvider.ts';
import { senderVariables } from '../compute/mail.ts';
import { type Platform, ServiceFunction } from '../compute/serviceFunction.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Gateway } from './gateway.ts';

const MEMORY_MEGABYTES = 512;
/**
 * Single events mostly wait, and a wait is billed by memory. Batches have a function of their own: 5 MiB of events take
 * 260 MB at their peak (measured), and would hold up single ones.
 */
const INGESTION_MEGABYTES = 256;
const TIMEOUT_SECONDS = 10;
/** The gateway waits a little longer than the function runs, so that a time-out is reported as the function's. */
const INTEGRATION_TIMEOUT_MILLISECONDS = (TIMEOUT_SECONDS + 1) * 1_000;

/** Answers what no route matches. */
const FALLBACK: UnitName = 'contract';

/** What the functions that answer HTTP share. */
export interface UnitsPlatform extends Platform {
  readonly identityProvider: OidcClientConfig;
}

/** Variables beyond a unit's needs. */
const environmentOf = (
  unit: UnitName,
  { identityProvider, settings }: UnitsPlatform,
): Record<string, string> => {
  if (unit === 'signIn') {
    return { OIDC_ISSUER: identityProvider.issuer, OIDC_CLIENT_ID: identityProvider.clientId };
  }
  // It takes the addresses that mail is to go to, where any is sent.
  return unit === 'tenancy' ? senderVariables(settings) : {};
};

/** The functions that answer HTTP, and a gateway route for every row of the route table. */
export class Units extends Construct {
  readonly functions = new Map<UnitName, LambdaFunction>();

  constructor(scope: Construct, id: string, platform: UnitsPlatform, gateway: Gateway) {
    super(scope, id);
    for (const unit of units) this.#addUnit(unit, platform, gateway);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Every route authenticates inside its unit (API key or access token, scope, tenant), as its row of the ' +
        'route table says; public rows are few and meant to be.',
    });
  }

  #addUnit(unit: UnitName, platform: UnitsPlatform, gateway: Gateway): void {
    const { function: handler } = new ServiceFunction(this, pascalCase(unit), {
      platform,
      bundle: unit,
      description: `Answers ${routesOf(unit)
        .map(({ operation }) => operation)
        .join(', ')}`,
      needs: needsOfUnit(unit),
      memoryMegabytes: unit === 'ingestion' ? INGESTION_MEGABYTES : MEMORY_MEGABYTES,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: environmentOf(unit, platform),
    });
    this.functions.set(unit, handler);
    const apiId = gateway.api.ref;
    const integration = new CfnIntegration(this, `${pascalCase(unit)}Integration`, {
      apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: handler.functionArn,
      payloadFormatVersion: '2.0',
      timeoutInMillis: INTEGRATION_TIMEOUT_MILLISECONDS,
    });
    new CfnPermission(this, `${pascalCase(unit)}Permission`, {
      action: 'lambda:InvokeFunction',
      functionName: handler.functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: Stack.of(this).formatArn({ service: 'execute-api', resource: apiId, resourceName: '*' }),
    });
    const addRoute = (routeId: string, key: string): CfnRoute =>
      new CfnRoute(this, routeId, { apiId, routeKey: key, target: `integrations/${integration.ref}` });
    for (const route of routesOf(unit)) addRoute(pascalCase(route.operation), routeKey(route));
    if (unit === FALLBACK) addRoute('Fallback', '$default');
  }
}
