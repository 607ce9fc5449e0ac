import style from "uplot/dist/uPlot.min.css";
import { drawArm } from "./arm.js";
import { drawLines } from "./lines.js";

const sheet = document.createElement("style");
sheet.textContent = style;
document.head.append(sheet);
document.documentElement.classList.add("interactive");
const data = JSON.parse(document.getElementById("data").textContent);
// for tests
window.roberval = { plots: drawLines(data), arm: drawArm(data.scene) };
