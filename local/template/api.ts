import * as z from 'zod';
import { isAllowed } from '../permissions/policy.ts';
import { type CorsConfiguration, type ImportedRoute, OpenApiBody } from './openApiBody.ts';
import { ignored, onlyResourceOfType, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';
import type { RoleDeclaration } from './roles.ts';
import { describeResource, TemplateError } from './template.ts';

const Api = z.strictObject({
  Body: OpenApiBody,
  FailOnWarnings: z.literal(true),
  Tags: ignored,
});

const Stage = z.strictObject({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AccessLogSettings: ignored,
  AutoDeploy: ignored,
  DeploymentId: ignored,
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

export interface ApiDeclaration {
  id: string;
  routes: Pick<ImportedRoute, 'routeKey' | 'functionArn' | 'timeoutMs'>[];
  cors?: CorsConfiguration | undefined;
  throttle?: { requestsPerSecond: number; burst: number } | undefined;
}

/** API Gateway answers 500 to every request of an integration whose role does not allow the invocation. */
const requireInvocable = (
  where: string,
  { routeKey, credentials, functionArn }: ImportedRoute,
  roles: readonly RoleDeclaration[],
): void => {
  if (credentials === undefined) return;
  const statements = roles.find(({ arn }) => arn === credentials)?.statements ?? [];
  if (!isAllowed(statements, { action: 'lambda:InvokeFunction', resource: functionArn }))
    throw new TemplateError(
      `${where}: the role of ${routeKey} does not allow lambda:InvokeFunction on ${functionArn}`,
    );
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
  if (api === undefined) return undefined;
  const [stage] = resourcesOfType(template, 'AWS::ApiGatewayV2::Stage', Stage);
  const limits = stage?.properties.DefaultRouteSettings;
  const { routes, cors } = api.properties.Body;
  for (const route of routes)
    requireInvocable(describeResource(api.logicalId, api.resource.Type), route, roles);
  return {
    id: api.identity.ref,
    routes,
    cors,
    throttle: limits && { requestsPerSecond: limits.ThrottlingRateLimit, burst: limits.ThrottlingBurstLimit },
  };
}
