import { createHash } from 'node:crypto';
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnApiMapping, CfnDeployment, CfnDomainName, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct, type IDependable } from 'constructs';
import type { Settings } from '../settings.ts';
import type { Gateway } from './gateway.ts';

/**
 * Fields of the access log. They must not identify a caller or a tenant. Each byte is charged per request, so the log
 * omits the function duration, which is already a metric of the API.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  gatewayError: '$context.error.responseType',
};

const HASH_DIGITS = 16;

export interface ApiStageProps {
  readonly settings: Settings;
  readonly gateway: Gateway;
  /** What the routes need: the functions, and the aliases of gradual deployments. */
  readonly targets: readonly IDependable[];
}

/**
 * The only stage of the API, and its custom domain. It serves a copy of the routes that is taken after all functions have
 * changed. A route that moves with automatic deployments would reach the previous code, and a rollback would change the
 * routes of running requests twice.
 */
export class ApiStage extends Construct {
  /** What the DNS record of the custom domain must point to. Undefined without a custom domain. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, { settings, gateway, targets }: ApiStageProps) {
    super(scope, id);
    const apiId = gateway.api.ref;
    const logGroup = new LogGroup(this, 'AccessLog', {
      // API Gateway adds every other log group to a policy of the account, which has room for about 60 names.
      logGroupName: `/aws/vendedlogs/${Stack.of(this).stackName}`,
      retention: settings.logRetention,
      // A group that stays after its stack would prevent the stack from being created again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A deployment cannot be changed, so each state of the routes has its own.
    const deployment = new CfnDeployment(this, `Routes${this.#hashOf(gateway.body)}`, { apiId });
    deployment.node.addDependency(...targets);
    const stage = new CfnStage(this, 'Stage', {
      apiId,
      stageName: '$default',
      deploymentId: deployment.ref,
      accessLogSettings: {
        destinationArn: logGroup.logGroupArn,
        format: JSON.stringify(accessLogFields),
      },
      // All tenants share this throttle. It protects the account, and must exceed what the plans admit together:
      // docs/decisions/limits.md.
      defaultRouteSettings: {
        throttlingRateLimit: settings.throttleRate,
        throttlingBurstLimit: settings.throttleBurst,
      },
    });
    if (settings.domainName !== undefined)
      this.domainTarget = this.#addDomain(settings.domainName, settings, apiId, stage);
  }

  #hashOf(body: object): string {
    const text = JSON.stringify(Stack.of(this).resolve(body));
    return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
  }

  /** Returns the name that the DNS record of the domain must point to. */
  #addDomain(domainName: string, { certificateArn }: Settings, apiId: string, stage: CfnStage): string {
    const domain = new CfnDomainName(this, 'Domain', {
      domainName,
      domainNameConfigurations: [
        {
          ...(certificateArn !== undefined && { certificateArn }),
          endpointType: 'REGIONAL',
          securityPolicy: 'TLS_1_2',
        },
      ],
    });
    new CfnApiMapping(this, 'DomainMapping', { apiId, domainName: domain.ref, stage: stage.ref });
    return domain.attrRegionalDomainName;
  }
}
