import { render } from "preact";
import { App } from "./app.tsx";
import { preparePrint } from "./print.ts";
import { showDirections } from "./show_directions.ts";

showDirections();
const page = document.getElementById("studio");
if (page) render(<App />, page);
preparePrint();
