"""numpy_friction.py RESULT.json: the friction of a result as a NumPy function that needs no roberval."""
import sys

import numpy as np
import roberval

CODE = '''"""Friction torque of joint {joint} [N m or N]."""
import numpy as np


def friction(velocity):
    v = np.asarray(velocity, dtype=float)
    return {Fv!r} * v + {Fc!r} * v / np.sqrt(v**2 + {speed!r} ** 2) + {offset!r}
'''


def source(result, joint):
    """Python source of the friction law of a joint (number from 0): viscous, Coulomb, offset."""
    values = {stem: result[f"{stem}{joint + 1}"].value if f"{stem}{joint + 1}" in result.parameters else 0.0
              for stem in ("Fv", "Fc", "off")}
    speed = result.json["robot"]["smooth"][joint] if "smooth" in result.json["robot"] else 1e-9
    return CODE.format(joint=list(result.joint_errors)[joint], Fv=values["Fv"], Fc=values["Fc"], offset=values["off"],
                       speed=speed)


if __name__ == "__main__":
    print(source(roberval.Result(sys.argv[1]), 0))
