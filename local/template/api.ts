import * as z from 'zod';
import { isAllowed } from '../permissions/policy.ts';
import { ignored, onlyResourceOfType, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';
import type { RoleDeclaration } from './roles.ts';
import { describeResource, TemplateError } from './template.ts';

const Cors = z.strictObject({
  AllowOrigins: z.array(z.string()),
  AllowMethods: z.array(z.string()),
  AllowHeaders: z.array(z.string()),
  ExposeHeaders: z.array(z.string()),
  MaxAge: z.coerce.number(),
});
export type CorsConfiguration = z.infer<typeof Cors>;

const Api = z.strictObject({
  CorsConfiguration: Cors.optional(),
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
  DefaultRouteSettings: z
    .strictObject({
      ThrottlingRateLimit: z.coerce.number().positive(),
      ThrottlingBurstLimit: z.coerce.number().positive(),
    })
    .optional(),
  Description: ignored,
  RouteSettings: ignored,
  Tags: ignored,
});

const Integration = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  CredentialsArn: z.string().optional(),
  PayloadFormatVersion: z.literal('2.0'),
  // 30 s is the default and the maximum of HTTP APIs.
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

/** One route of the HTTP API. The gateway waits `timeoutMs` for the function. */
interface RouteDeclaration {
  routeKey: string;
  functionArn: string;
  timeoutMs: number;
}

export interface ApiDeclaration {
  id: string;
  routes: RouteDeclaration[];
  cors?: CorsConfiguration | undefined;
  throttle?: { requestsPerSecond: number; burst: number } | undefined;
}

/** API Gateway answers 500 to every request of an integration whose role does not allow the invocation. */
const requireInvocable = (
  where: string,
  { CredentialsArn: arn, IntegrationUri: resource }: z.infer<typeof Integration>,
  roles: readonly RoleDeclaration[],
): void => {
  if (arn === undefined) return;
  const statements = roles.find((role) => role.arn === arn)?.statements ?? [];
  if (!isAllowed(statements, { action: 'lambda:InvokeFunction', resource }))
    throw new TemplateError(`${where}: its role does not allow lambda:InvokeFunction on ${resource}`);
};

/**
 * The HTTP API of the template. Throws a TemplateError if there are several, because the gateway has one port, or if the API
 * may not invoke a function.
 */
export function readApi(
  template: ResolvedTemplate,
  roles: readonly RoleDeclaration[],
): ApiDeclaration | undefined {
  const api = onlyResourceOfType(template, 'AWS::ApiGatewayV2::Api', Api, 'HTTP API');
  const [stage] = resourcesOfType(template, 'AWS::ApiGatewayV2::Stage', Stage);
  const limits = stage?.properties.DefaultRouteSettings;
  const integrations = new Map(
    resourcesOfType(template, 'AWS::ApiGatewayV2::Integration', Integration).map((integration) => [
      `integrations/${integration.identity.ref}`,
      integration.properties,
    ]),
  );
  const routes = resourcesOfType(template, 'AWS::ApiGatewayV2::Route', Route).map(
    ({ logicalId, resource, properties }) => {
      const integration = integrations.get(properties.Target);
      if (!integration)
        throw new TemplateError(
          `${describeResource(logicalId, resource.Type)}: its target ${properties.Target} is not an integration of the template`,
        );
      requireInvocable(describeResource(logicalId, resource.Type), integration, roles);
      return {
        routeKey: properties.RouteKey,
        functionArn: integration.IntegrationUri,
        timeoutMs: integration.TimeoutInMillis,
      };
    },
  );
  return (
    api && {
      id: api.identity.ref,
      routes,
      cors: api.properties.CorsConfiguration,
      throttle: limits && {
        requestsPerSecond: limits.ThrottlingRateLimit,
        burst: limits.ThrottlingBurstLimit,
      },
    }
  );
}
