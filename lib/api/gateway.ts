import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/**
 * Requests a second and burst for the whole API: half of what a region grants an account by default
 * (10,000 and 5,000), so a flood here leaves the account's other APIs alive. Tenants have limits of their own below it.
 */
const THROTTLE = { throttlingRateLimit: 5_000, throttlingBurstLimit: 2_500 };

/**
 * All that the access log may hold: nothing that names a caller, a tenant or an id. Each byte is paid for once a request;
 * how long the function took is a metric of the API already.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  gatewayError: '$context.error.responseType',
};

/** The HTTP API and its only stage; routes come from {@link Units}. */
export class Gateway extends Construct {
  readonly api: CfnApi;
  /** The address clients use, without a trailing slash. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.api = new CfnApi(this, 'Api', {
      name: 'Inference attribution',
      description: 'Attributes inference cost, energy and carbon',
      protocolType: 'HTTP',
    });
    this.baseUrl = settings.baseUrl ?? this.api.attrApiEndpoint;
    const logGroup = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetention,
      removalPolicy: settings.removalPolicy,
    });
    new CfnStage(this, 'Stage', {
      apiId: this.api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: {
        destinationArn: logGroup.logGroupArn,
        format: JSON.stringify(accessLogFields),
      },
      defaultRouteSettings: THROTTLE,
    });
  }
}
