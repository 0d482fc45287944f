import { App, type AppProps, type Stack } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { EdgeStack } from './edge/edgeStack.ts';
import { type StackKind, stackNameOf } from './names.ts';
import type { Settings } from './settings.ts';
import { ApiStack } from './stacks/apiStack.ts';
import { DataStack } from './stacks/dataStack.ts';
import { ObservabilityStack } from './stacks/observabilityStack.ts';
import { addTags, stackProps } from './stacks/stackProps.ts';
import { WorkersStack } from './stacks/workersStack.ts';

/**
 * A CDK app with all recommended feature flags. The flags are set here and not in `cdk.json`, so that a template
 * synthesised in process equals the one of the CDK command.
 */
export const createApp = (props: AppProps = {}): App =>
  new App({ ...props, analyticsReporting: false, postCliContext: recommendedFlags });

/** The stacks of a deployment, in the order in which they are deployed. Each uses only what stands before it. */
export const addStacks = (
  app: App,
  settings: Settings,
  assets: string,
): Readonly<Record<StackKind, Stack>> => {
  const nameOf = (kind: StackKind): string => stackNameOf(settings.deployment, kind);
  addTags(app, settings);
  const data = new DataStack(app, nameOf('data'), settings);
  const api = new ApiStack(app, nameOf('api'), settings, assets);
  const workers = new WorkersStack(app, nameOf('workers'), settings, assets);
  const observability = new ObservabilityStack(app, nameOf('observability'), settings);
  api.addStackDependency(data);
  workers.addStackDependency(api);
  observability.addStackDependency(workers);
  // The origin is the domain of the API. It answers only after the stack of the API is deployed.
  if (settings.edge !== undefined)
    new EdgeStack(
      app,
      stackNameOf(settings.deployment, 'edge'),
      settings.edge,
      stackProps(settings),
    ).addStackDependency(api);
  return { data, api, workers, observability };
};
