import { Link, Route, Switch } from "wouter";
import { AttemptPage } from "./attempts/AttemptPage";
import { AttemptsPage } from "./attempts/AttemptsPage";
import { FailurePage } from "./failures/FailurePage";
import { FailuresPage } from "./failures/FailuresPage";
import { LogPage } from "./log/LogPage";
import { OverviewPage } from "./overview/OverviewPage";
import { Page } from "./shell/Page";
import { Shell } from "./shell/Shell";
import { StatePage } from "./states/StatePage";
import { StatesPage } from "./states/StatesPage";

export function App() {
  return (
    <Shell>
      <Switch>
        <Route path="/" component={OverviewPage} />
        <Route path="/states" component={StatesPage} />
        <Route path="/state" component={StatePage} />
        <Route path="/failures" component={FailuresPage} />
        <Route path="/failure" component={FailurePage} />
        <Route path="/attempts" component={AttemptsPage} />
        <Route path="/attempt" component={AttemptPage} />
        <Route path="/log" component={LogPage} />
        <Route>
          <Page title="No such page">
            <p>
              There is nothing here. <Link href="/">Go to the overview</Link>.
            </p>
          </Page>
        </Route>
      </Switch>
    </Shell>
  );
}
