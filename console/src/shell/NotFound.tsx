import { Link } from 'wouter';
import { Page } from '../components/Page.tsx';

export const NotFound = () => (
  <Page title="No such page" lead="The address may be of an older version of the console.">
    <div>
      <Link href="/">Go to the overview</Link>
    </div>
  </Page>
);
