"""Contact, payload and drift of a running arm: ros2 launch roberval_compensation follow.launch.py robot:=arm.urdf result:=result.json"""
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.substitutions import LaunchConfiguration


def generate_launch_description():
    robot, result, topic, publish, state = (
        LaunchConfiguration(name) for name in ("robot", "result", "topic", "publish", "state"))
    return LaunchDescription([
        DeclareLaunchArgument("robot", description="URDF, MJCF or YAML of the robot"),
        DeclareLaunchArgument("result", description="result of roberval identify"),
        DeclareLaunchArgument("topic", default_value="/joint_states"),
        DeclareLaunchArgument("publish", default_value="/roberval"),
        DeclareLaunchArgument("state", default_value="follow.state"),
        ExecuteProcess(cmd=["roberval", "follow", robot, result, "--topic", topic, "--publish", publish,
                            "--state", state, "--heartbeat", "60", "--json-lines"],
                       output="screen", respawn=True, respawn_delay=1.0),
    ])
