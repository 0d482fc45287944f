import { App, type AppProps } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { EdgeStack } from './edge/edgeStack.ts';
import type { Settings } from './settings.ts';
import { AttributionStack } from './stack.ts';
import { stackNameOf } from './stackName.ts';

/**
 * A CDK app with all recommended feature flags. The flags are set here and not in `cdk.json`, so that a template
 * synthesised in process equals the one of the CDK command.
 */
export const createApp = (props: AppProps = {}): App =>
  new App({ ...props, analyticsReporting: false, postCliContext: recommendedFlags });

/** Adds the stacks of a deployment. Returns the stack of the service. */
export const addStacks = (app: App, settings: Settings, assets: string): AttributionStack => {
  const name = stackNameOf(settings.environment);
  const stack = new AttributionStack(app, name, { settings, assets });
  // The origin is the domain of the API. It answers only after the stack of the service is deployed.
  if (settings.edge !== undefined)
    new EdgeStack(app, `${name}-edge`, settings.edge).addStackDependency(stack);
  return stack;
};
