import { ArnFormat, Stack } from 'aws-cdk-lib';
import { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { units } from '../../schemas/routes/route.ts';
import type { Settings } from '../settings.ts';
import { invocableArnsOf, invokedArnOf } from './invokedFunctions.ts';
import { openApiBody } from './openApiBody.ts';

/** The HTTP API with all routes. Callers reach none of them before the stage publishes them. */
export class Gateway extends Construct {
  readonly api: CfnApi;
  /** The document that declares the routes. */
  readonly body: object;
  /** The public base URL, without a trailing slash. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    // One role in place of a permission on each function, which would be a resource each.
    const invoker = new Role(this, 'Invoker', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'Invokes the HTTP functions',
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: units.flatMap((unit) => invocableArnsOf(this, unit, settings)),
            }),
          ],
        }),
      },
    });
    this.body = openApiBody({
      settings,
      invokerArn: invoker.roleArn,
      uriOf: (unit) =>
        Stack.of(this).formatArn({
          service: 'apigateway',
          account: 'lambda',
          resource: 'path',
          resourceName: `2015-03-31/functions/${invokedArnOf(this, unit, settings)}/invocations`,
          arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
        }),
    });
    // A warning is a route that API Gateway left out.
    this.api = new CfnApi(this, 'Api', { body: this.body, failOnWarnings: true });
    this.baseUrl = settings.baseUrl ?? this.api.attrApiEndpoint;
  }
}
