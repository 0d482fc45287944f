import { Link } from 'wouter';
import { Page } from '../components/Page.tsx';
import { type PageScope, whoMay } from './whoMay.ts';

/** In place of a page that the role of the person does not include, for example after a link in an e-mail. */
export const NotAllowed = ({ name, scope }: { name: string; scope: PageScope }) => (
  <Page title={name} lead="Your role does not include this page.">
    <p>{whoMay[scope]} can open it. An administrator of your tenant can change your role.</p>
    <div>
      <Link href="/">Go to the overview</Link>
    </div>
  </Page>
);
