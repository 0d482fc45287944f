import * as z from 'zod';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';
import { describeResource, TemplateError } from './template.ts';

const Api = z.strictObject({
  ProtocolType: z.literal('HTTP'),
  Name: ignored,
  Description: ignored,
  DisableExecuteApiEndpoint: ignored,
  IpAddressType: ignored,
  Tags: ignored,
});

const Stage = z.strictObject({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AccessLogSettings: ignored,
  AutoDeploy: ignored,
  DefaultRouteSettings: ignored,
  Description: ignored,
  RouteSettings: ignored,
  Tags: ignored,
});

const Integration = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  // 30 s is both API Gateway's default and its limit for HTTP APIs.
  TimeoutInMillis: z.coerce.number().default(30_000),
  IntegrationMethod: ignored,
  Description: ignored,
});

const Route = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string().startsWith('integrations/'),
  AuthorizationType: z.literal('NONE').optional(),
  OperationName: ignored,
});

/** One route of the HTTP API. `functionArn` is what it calls, and `timeoutMs` how long the gateway waits for it. */
interface RouteDeclaration {
  routeKey: string;
  functionArn: string;
  timeoutMs: number;
}

export interface ApiDeclaration {
  id: string;
  routes: RouteDeclaration[];
}

/** The HTTP API of the template. Throws a TemplateError where there is more than one: there is one port. */
export function readApi(reading: ResolvedTemplate): ApiDeclaration | undefined {
  const [found, second] = resourcesOfType(reading, 'AWS::ApiGatewayV2::Api', Api);
  if (second)
    throw new TemplateError(
      `${describeResource(second.logicalId, second.resource.Type)}: one HTTP API can be run`,
    );
  resourcesOfType(reading, 'AWS::ApiGatewayV2::Stage', Stage);
  const integrations = new Map(
    resourcesOfType(reading, 'AWS::ApiGatewayV2::Integration', Integration).map((integration) => [
      `integrations/${integration.identity.ref}`,
      integration.properties,
    ]),
  );
  const routes = resourcesOfType(reading, 'AWS::ApiGatewayV2::Route', Route).map(
    ({ logicalId, resource, properties }) => {
      const integration = integrations.get(properties.Target);
      if (!integration)
        throw new TemplateError(`${describeResource(logicalId, resource.Type)}: has no integration`);
      return {
        routeKey: properties.RouteKey,
        functionArn: integration.IntegrationUri,
        timeoutMs: integration.TimeoutInMillis,
      };
    },
  );
  return found && { id: found.identity.ref, routes };
}
