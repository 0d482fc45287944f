import { CfnApi, CfnApiMapping, CfnDomainName, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import {
  CORS_MAX_AGE_SECONDS,
  CORS_METHODS,
  CORS_REQUEST_HEADERS,
  CORS_RESPONSE_HEADERS,
} from '../../schemas/platform/cors.ts';
import type { Settings } from '../settings.ts';

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

/** The HTTP API and its only stage. {@link Units} adds the routes. */
export class Gateway extends Construct {
  readonly api: CfnApi;
  /** The public base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** What the DNS record of the custom domain must point to. Undefined without a custom domain. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.api = new CfnApi(this, 'Api', {
      name: 'Inference attribution',
      description: 'Attributes inference cost, energy and carbon',
      protocolType: 'HTTP',
      // Without credentials: a page sends a key or token that it holds, and never a cookie.
      ...(settings.corsOrigins.length > 0 && {
        corsConfiguration: {
          allowOrigins: settings.corsOrigins,
          allowMethods: CORS_METHODS,
          allowHeaders: CORS_REQUEST_HEADERS,
          exposeHeaders: CORS_RESPONSE_HEADERS,
          maxAge: CORS_MAX_AGE_SECONDS,
        },
      }),
      // With a custom domain, no caller can go around it.
      ...(settings.domainName !== undefined && { disableExecuteApiEndpoint: true }),
    });
    this.baseUrl = settings.baseUrl ?? this.api.attrApiEndpoint;
    const logGroup = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetention,
      removalPolicy: settings.removalPolicy,
    });
    const stage = new CfnStage(this, 'Stage', {
      apiId: this.api.ref,
      stageName: '$default',
      autoDeploy: true,
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
      this.domainTarget = this.#addDomain(settings.domainName, settings, stage);
  }

  /** Returns the name that the DNS record of the domain must point to. */
  #addDomain(domainName: string, { certificateArn }: Settings, stage: CfnStage): string {
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
    new CfnApiMapping(this, 'DomainMapping', {
      apiId: this.api.ref,
      domainName: domain.ref,
      stage: stage.ref,
    });
    return domain.attrRegionalDomainName;
  }
}
