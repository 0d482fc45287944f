import { Validations } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { needsOfUnit, routesOf } from '../../schemas/routes/index.ts';
import { FALLBACK_UNIT, gatewayKeysOf, type UnitName, units } from '../../schemas/routes/route.ts';
import type { OidcClientConfig } from '../access/identityProvider.ts';
import { senderVariables } from '../compute/mail.ts';
import { type Platform, ServiceFunction } from '../compute/serviceFunction.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Gateway } from './gateway.ts';
import { gradualUnits, LIVE_ALIAS } from './gradualDeployments.ts';

const MEMORY_MEGABYTES = 512;
/**
 * Ingestion of single events mostly waits for I/O, and waiting is billed by memory. Batches have their own function: a
 * batch of 5 MiB needs up to 260 MB (measured) and would delay single events.
 */
const INGESTION_MEGABYTES = 256;
const TIMEOUT_SECONDS = 10;
/** Longer than the timeout of the function, so that a timeout is reported by the function. */
const INTEGRATION_TIMEOUT_MILLISECONDS = (TIMEOUT_SECONDS + 1) * 1_000;

/** Shared properties of the HTTP functions. */
export interface UnitsPlatform extends Platform {
  readonly identityProvider: OidcClientConfig;
}

/** Environment variables of a unit, besides those of its needs. */
const environmentOf = (
  unit: UnitName,
  { identityProvider, settings }: UnitsPlatform,
): Record<string, string> => {
  if (unit === 'signIn') {
    return { OIDC_ISSUER: identityProvider.issuer, OIDC_CLIENT_ID: identityProvider.clientId };
  }
  // The tenancy unit accepts notification addresses only if a mail sender is configured.
  return unit === 'tenancy' ? senderVariables(settings) : {};
};

/** The HTTP functions, and the gateway routes of every row of the route table. */
export class Units extends Construct {
  readonly functions = new Map<UnitName, LambdaFunction>();
  /** What receives the requests of the gradual units. Empty if a deployment changes all units at once. */
  readonly aliases = new Map<UnitName, Alias>();
  readonly #invocations = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
  /** One role in place of a permission on each function: CloudFormation accepts 500 resources. */
  readonly #invoker: Role;

  constructor(scope: Construct, id: string, platform: UnitsPlatform, gateway: Gateway) {
    super(scope, id);
    this.#invoker = new Role(this, 'Invoker', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'Invokes the HTTP functions',
      inlinePolicies: { invoke: new PolicyDocument({ statements: [this.#invocations] }) },
    });
    for (const unit of units) this.#addUnit(unit, platform, gateway);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Every unit authenticates its requests (API key or access token, scope, tenant) as the route table declares. ' +
        'Only a few routes are public, on purpose.',
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
    const { functionArn } = this.#targetOf(unit, handler, platform);
    this.#invocations.addResources(functionArn);
    const apiId = gateway.api.ref;
    const integration = new CfnIntegration(this, `${pascalCase(unit)}Integration`, {
      apiId,
      integrationType: 'AWS_PROXY',
      credentialsArn: this.#invoker.roleArn,
      integrationUri: functionArn,
      payloadFormatVersion: '2.0',
      timeoutInMillis: INTEGRATION_TIMEOUT_MILLISECONDS,
    });
    const addRoute = (routeId: string, key: string): CfnRoute =>
      new CfnRoute(this, routeId, { apiId, routeKey: key, target: `integrations/${integration.ref}` });
    for (const route of routesOf(unit)) {
      const [key = '', head] = gatewayKeysOf(route);
      addRoute(pascalCase(route.operation), key);
      if (head !== undefined) addRoute(`${pascalCase(route.operation)}Head`, head);
    }
    if (unit === FALLBACK_UNIT) addRoute('Fallback', '$default');
  }
  /** The function itself, or the alias that a gradual deployment moves from version to version. */
  #targetOf(unit: UnitName, handler: LambdaFunction, { settings }: UnitsPlatform): Alias | LambdaFunction {
    if (!settings.gradualDeployment || !gradualUnits.includes(unit)) return handler;
    const alias = handler.addAlias(LIVE_ALIAS);
    this.aliases.set(unit, alias);
    return alias;
  }
}
