import * as z from 'zod';

/** The body as CDK writes it: parts of JSON text between references. */
const Body = z.object({
  DashboardBody: z.union([
    z.string(),
    z
      .object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) })
      .transform(({ 'Fn::Join': [, parts] }) =>
        parts
          .map((part) => (typeof part === 'string' ? part : JSON.stringify(part).replaceAll(/[^\w]/g, '')))
          .join(''),
      ),
  ]),
});
const Widgets = z.object({
  widgets: z.array(
    z.looseObject({ properties: z.looseObject({ metrics: z.array(z.array(z.unknown())).default([]) }) }),
  ),
});

/** How many different metrics a dashboard shows. Expressions over them do not count. */
export const dashboardMetrics = (properties: unknown): number => {
  const { widgets } = Widgets.parse(JSON.parse(Body.parse(properties).DashboardBody));
  const named = widgets
    .flatMap((widget) => widget.properties.metrics)
    .map((metric) => metric.filter((part) => typeof part === 'string'))
    .filter(({ length }) => length > 0);
  return new Set(named.map((names) => names.join(' '))).size;
};
